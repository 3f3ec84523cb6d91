import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { Advice } from '../card/advice.tsx';
import { Picture } from '../card/picture.tsx';
import { isCovered } from '../card/qr-code.tsx';
import { useExtension, usePanel, useSession } from '../context/panel-context.ts';
import type { Pairing } from '../session/session.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { download } from '../ui/download.ts';
import { LateAnswer, useSecondsLeft } from '../ui/live-time.tsx';
import { inMinutes } from '../ui/time.ts';
import { copyText } from './copy-text.ts';
import { Modal } from './modal.tsx';

/**
 * Shows the code of a session as large as the screen allows, and how to link a phone with it. After the scan it stays
 * open and shows how linking proceeds.
 */
export function CodeDialog({ numero }: { numero: string }) {
  const record = useSession(numero);
  const picture = useRef<HTMLDivElement>(null);
  const stateId = useId();
  const { store } = usePanel();
  const canPair = useExtension('pairing');
  /** Whether a code to type was requested here. Until then the steps are for scanning, even if another panel requested one. */
  const [typing, setTyping] = useState(false);
  const pairing = typing ? record?.pairing : undefined;

  return (
    <Modal title={texts.codeTitle(numero)} numero={numero}>
      <div ref={picture} className="large-code">
        {record && <Picture record={record} titleId={stateId} large />}
      </div>
      <div className="code-side">
        <div className="code-state" id={stateId} role="status">
          {record ? <Advice record={record} titleId={stateId} /> : texts.notListed}
        </div>
        {record?.session.qrCode !== undefined && (
          <>
            <div className="linking">
              <ol>
                {(pairing ? texts.pairingSteps : texts.linkingSteps)(numero).map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
              {canPair && (
                <PairingCode
                  numero={numero}
                  pairing={pairing}
                  ask={async () => {
                    setTyping(true);
                    if ((record.pairing?.expires ?? 0) <= Date.now()) await store.pair(numero);
                  }}
                />
              )}
              <details>
                <summary>{texts.passkeyTitle}</summary>
                <p>{texts.passkey}</p>
              </details>
            </div>
            <CodeButtons numero={numero} picture={picture} covered={isCovered(record.status)} />
          </>
        )}
      </div>
    </Modal>
  );
}

interface CodeButtonsProps {
  readonly numero: string;
  /** The element that contains the drawing. */
  readonly picture: RefObject<HTMLElement | null>;
  readonly covered: boolean;
}

/** Copies and downloads the code, unless it is covered. */
function CodeButtons({ numero, picture, covered }: CodeButtonsProps) {
  const { store } = usePanel();
  const button = (label: string, use: (image: HTMLCanvasElement) => void) => (
    <button
      type="button"
      className="tonal"
      aria-disabled={covered}
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
      {/* Not on a page that came by plain HTTP. */}
      {typeof ClipboardItem !== 'undefined' &&
        button(texts.copyImage, (image) => {
          copyImage(image).then(
            () => store.notify('positive', texts.imageCopied, 'copy'),
            () => store.notify('negative', texts.imageNotCopied, 'copy'),
          );
        })}
      {button(texts.downloadImage, (image) => download(image.toDataURL(), texts.imageName(numero)))}
    </div>
  );
}

/** The least width of an image of a code, in pixels: enough to be printed. */
const SIDE = 1000;

/** Draws a code that is on the screen, with its quiet zone; each module is a whole number of pixels. */
function drawCode(code: SVGSVGElement): HTMLCanvasElement {
  const modules = code.viewBox.baseVal.width;
  const scale = Math.ceil(SIDE / modules);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules * scale;
  const context = canvas.getContext('2d');
  context?.scale(scale, scale);
  for (const path of code.querySelectorAll('path')) {
    if (!context) break;
    context.fillStyle = path.getAttribute('fill') ?? '';
    context.fill(new Path2D(path.getAttribute('d') ?? ''));
  }
  return canvas;
}

/** Copies an image to the clipboard. Rejects where the browser or the page's policy does not allow it. */
function copyImage(image: HTMLCanvasElement): Promise<void> {
  const png = new Promise<Blob>((resolve, reject) => {
    image.toBlob((blob) => (blob ? resolve(blob) : reject()));
  });
  // The item takes a promise: Safari rejects a write that begins after the click.
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}

interface PairingProps {
  readonly numero: string;
  readonly pairing: Pairing | undefined;
  /** Shows the current code, or requests one. */
  readonly ask: () => Promise<void>;
}

/** The code to type on the phone, while there is one, and the button that asks for it. */
function PairingCode({ numero, pairing, ask }: PairingProps) {
  const { store } = usePanel();
  const [seen, setSeen] = useState(false);
  const [busy, run] = useBusy();
  const shown = useRef<HTMLParagraphElement>(null);
  const left = useSecondsLeft(pairing?.expires ?? 0);
  const code = left > 0 && pairing ? `${pairing.code.slice(0, 4)}-${pairing.code.slice(4)}` : undefined;
  if (pairing && !seen) setSeen(true);
  // On a phone the code would be below the lower edge of the dialog.
  useLayoutEffect(() => {
    if (code) shown.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [code]);

  const copy = async (text: string, button: HTMLButtonElement) => {
    const isCopied = await copyText(text, shown.current, button);
    store.notify('positive', isCopied ? texts.copied : texts.notCopied, 'copy');
  };

  return (
    <div className="pairing">
      <p role="status">
        {code ? (
          <span className="visually-hidden">{texts.pairingCode(code)}</span>
        ) : busy ? (
          <LateAnswer text={texts.listLate} />
        ) : (
          seen && texts.codeOver
        )}
      </p>
      {code && (
        <>
          <p ref={shown} className="pairing-code" aria-hidden="true">
            {code}
          </p>
          <p role="timer">{texts.timeLeft(inMinutes(left))}</p>
        </>
      )}
      {/* One button for both actions, so that it keeps the focus. */}
      <button
        type="button"
        className="tonal"
        aria-disabled={busy}
        onClick={({ currentTarget }) => (code ? copy(code, currentTarget) : run(ask))}
      >
        {code ? texts.copyCode : seen ? texts.anotherCode : texts.pair}
      </button>
      {code && <p>{texts.pairingPhone(numero)}</p>}
    </div>
  );
}
