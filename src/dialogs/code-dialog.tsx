import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { Advice } from '../card/advice.tsx';
import { Picture } from '../card/picture.tsx';
import { isCovered } from '../card/qr-code.tsx';
import { useExtension, usePanel, useSession } from '../panel-context.ts';
import * as texts from '../texts.ts';
import { download } from '../ui/download.ts';
import { canCopy, copy, drawCode } from './code-image.ts';
import { Modal } from './modal.tsx';
import { PairingCode } from './pairing.tsx';

interface Props {
  readonly numero: string;
  readonly onClose: () => void;
}

/**
 * The code of a session as large as the screen allows, and how to link a phone with it. When the code has been scanned
 * it stays, and says how linking goes on.
 */
export function CodeDialog({ numero, onClose }: Props) {
  const record = useSession(numero);
  const picture = useRef<HTMLDivElement>(null);
  const stateId = useId();
  const { store } = usePanel();
  const canPair = useExtension('pairing');
  /** The steps are those for scanning until a code to type is wanted here, whoever else has asked for one. */
  const [typing, setTyping] = useState(false);
  const pairing = typing ? record?.pairing : undefined;

  return (
    <Modal title={texts.codeTitle(numero)} numero={numero} onClose={onClose}>
      <div ref={picture} className="large-code">
        {record && <Picture record={record} titleId={stateId} large />}
      </div>
      <div className="code-side">
        <div className="code-state" id={stateId} role="status">
          {record ? <Advice record={record} titleId={stateId} /> : texts.notListed}
        </div>
        {record?.session.qrCode !== undefined && (
          <>
            <LinkingSteps steps={pairing ? texts.pairingSteps(numero) : texts.linkingSteps(numero)}>
              {canPair && (
                <PairingCode
                  numero={numero}
                  pairing={pairing}
                  ask={async () => {
                    setTyping(true);
                    if (!record.pairing || record.pairing.expires <= Date.now()) await store.pair(numero);
                  }}
                />
              )}
            </LinkingSteps>
            <CodeButtons numero={numero} picture={picture} covered={isCovered(record.status)} />
          </>
        )}
      </div>
    </Modal>
  );
}

interface CodeButtonsProps {
  readonly numero: string;
  /** What the code is drawn in. */
  readonly picture: RefObject<HTMLElement | null>;
  readonly covered: boolean;
}

/** Copy and download the code. A covered one is not given away. */
function CodeButtons({ numero, picture, covered }: CodeButtonsProps) {
  const { store } = usePanel();
  const button = (label: string, use: (image: HTMLCanvasElement) => void) => (
    <button
      type="button"
      className="tonal"
      aria-disabled={covered || undefined}
      onClick={() => {
        if (covered) return;
        const code = picture.current?.querySelector<SVGSVGElement>('.qr svg');
        if (code) use(drawCode(code));
        else store.notify('negative', texts.undrawable, 'copy');
      }}
    >
      {label}
    </button>
  );

  return (
    <div className="code-buttons">
      {canCopy() &&
        button(texts.copyImage, (image) => {
          copy(image).then(
            () => store.notify('positive', texts.imageCopied, 'copy'),
            () => store.notify('negative', texts.imageNotCopied, 'copy'),
          );
        })}
      {button(texts.downloadImage, (image) => download(image.toDataURL(), texts.imageName(numero)))}
    </div>
  );
}

/** What to do on the phone, and what it means when the phone asks for more. */
function LinkingSteps({ steps, children }: { steps: readonly string[]; children: ReactNode }) {
  return (
    <div className="linking">
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {children}
      <details>
        <summary>{texts.passkeyTitle}</summary>
        <p>{texts.passkey}</p>
      </details>
    </div>
  );
}
