import { useRef, useState } from 'react';
import { usePanel, useSession } from '../context/panel-context.ts';
import * as texts from '../texts/sentences.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { useSecondsLeft } from '../ui/time.ts';
import { Advice, type RecordProps, TimeLeft } from './advice.tsx';
import { Picture } from './picture.tsx';

interface Props extends Pick<RecordProps, 'titleId'> {
  readonly numero: string;
  /** Where it is alone: otherwise there is a head, and the place of a code that is still to come has its steps. */
  readonly inDialog?: boolean;
}

/**
 * The code of a session to scan, or where that is wanted one to type, and how to link a phone with it. After the scan it shows
 * in a dialog how linking proceeds.
 */
export function Linking({ numero, titleId, inDialog }: Props) {
  const { store, t, may } = usePanel();
  const record = useSession(numero);
  /** Whether a code to type is wanted here: another panel may have requested one. */
  const [wanted, setWanted] = useState(false);
  const [busy, run] = useBusy();
  const shown = useRef<HTMLParagraphElement>(null);
  const { status, pairing } = record ?? {};
  const { code: typed = '', expires = 0 } = pairing ?? {};
  const left = useSecondsLeft(expires);
  const isLinking = record?.session.qrCode !== undefined;
  const isTyping = isLinking && wanted && may('pairing');
  const code = isTyping && left > 0 ? `${typed.slice(0, 4)}-${typed.slice(4)}` : undefined;
  const until = isTyping ? code && expires : status?.codeUntil;
  if (wanted && !isLinking) setWanted(false);

  const request = () => {
    setWanted(true);
    if (left === 0) void run(() => store.run('pair', numero));
  };

  return (
    <>
      {isTyping ? (
        <div className="large-code code-to-type">
          <p ref={shown} className="pairing-code" aria-hidden="true">
            {code ?? '····-····'}
          </p>
          <p className={code ? 'visually-hidden' : 'muted'} role="status">
            {code ? t(texts.pairingCode, [...code].join(' ')) : !busy && pairing && t(texts.codeCovered)}
          </p>
          {/* One button for both actions, so that it keeps the focus. */}
          <Button
            className="filled"
            aria-disabled={busy}
            onClick={({ currentTarget }) =>
              code ? copyWithNotice(store, code, shown.current, currentTarget) : request()
            }
          >
            {t(code || busy ? texts.copyCode : texts.remedies.newCode)}
          </Button>
        </div>
      ) : (
        record && <Picture record={record} titleId={titleId} large />
      )}
      <div className="code-side">
        {inDialog && (
          <div className="code-state" id={titleId} role="status">
            {/* What a code asks for, the steps say. */}
            {record
              ? status?.asks !== 'scan' && <Advice record={record} titleId={titleId} place="dialog" />
              : t(texts.notListed)}
          </div>
        )}
        {(isLinking || !inDialog) && (
          <>
            {may('pairing') && (
              <div className="segments">
                <Button aria-pressed={!isTyping} onClick={() => setWanted(false)}>
                  {t(texts.scan)}
                </Button>
                <Button disabled={!isLinking} aria-pressed={isTyping} onClick={request}>
                  {t(texts.type)}
                </Button>
              </div>
            )}
            {/* It has its place before there is a code: nothing moves when that comes. */}
            <TimeLeft until={until || 0} />
            <ol className="steps">
              {(isTyping ? texts.pairingSteps : texts.linkingSteps).map((step) => (
                <li key={step}>{t(step)}</li>
              ))}
            </ol>
            {inDialog && !may('passkey') && (
              <details>
                <summary className="muted">{t(texts.passkeyTitle)}</summary>
                <p>{t(texts.passkey)}</p>
              </details>
            )}
          </>
        )}
      </div>
    </>
  );
}
