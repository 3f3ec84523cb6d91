import { useId, useLayoutEffect, useRef, useState } from 'react';
import { Advice, Steps } from '../card/advice.tsx';
import { Picture } from '../card/picture.tsx';
import { usePanel, useSession } from '../context/panel-context.ts';
import type { SessionRecord } from '../session/record.ts';
import * as texts from '../texts/sentences.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { inMinutes, Late, useSecondsLeft } from '../ui/time.ts';
import { Modal } from './modal.tsx';

/**
 * Shows the code of a session as large as the screen allows, and how to link a phone with it. After the scan it stays
 * open and shows how linking proceeds.
 */
export function CodeDialog({ numero }: { numero: string }) {
  const { t } = usePanel();
  const record = useSession(numero);
  const stateId = useId();

  return (
    <Modal title={t(texts.codeTitle, numero)} numero={numero} needs="codes">
      {record && <Picture record={record} titleId={stateId} large />}
      <div className="code-side">
        <div className="code-state" id={stateId} role="status">
          {record ? <Advice record={record} titleId={stateId} place="dialog" /> : t(texts.notListed)}
        </div>
        {record?.session.qrCode !== undefined && <Linking record={record} />}
      </div>
    </Modal>
  );
}

/** The steps that link a phone: with the code to scan, or once it was requested here, with one to type. */
function Linking({ record }: { record: SessionRecord }) {
  const { store, t, may } = usePanel();
  /** What has become of a code to type that was requested here: another panel may have requested one. */
  const [typing, setTyping] = useState<'requested' | 'seen'>();
  const [busy, run] = useBusy();
  const shown = useRef<HTMLParagraphElement>(null);
  const { numero } = record.session;
  const { code: typed = '', expires = 0 } = record.pairing ?? {};
  const left = useSecondsLeft(expires);
  const code = typing && left > 0 ? `${typed.slice(0, 4)}-${typed.slice(4)}` : undefined;
  const seen = typing === 'seen';
  if (code && !seen) setTyping('seen');
  // On a phone the code would be below the lower edge of the dialog.
  useLayoutEffect(() => {
    if (code) shown.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [code]);

  const pair = async () => {
    setTyping(typing ?? 'requested');
    if (left === 0) await store.run('pair', numero);
  };

  return (
    <div className="linking">
      <Steps steps={code ? texts.pairingSteps : texts.linkingSteps} numero={numero} />
      {may('pairing') && (
        <div className="pairing">
          <p role="status">
            {code ? (
              <span className="visually-hidden">{t(texts.pairingCode, [...code].join(' '))}</span>
            ) : busy ? (
              <Late>{t(texts.listLate)}</Late>
            ) : (
              seen && t(texts.codeOver)
            )}
          </p>
          {code && (
            <>
              <p ref={shown} className="pairing-code" aria-hidden="true">
                {code}
              </p>
              <p role="timer">{t(texts.timeLeft, inMinutes(left))}</p>
            </>
          )}
          {/* One button for both actions, so that it keeps the focus. */}
          <Button
            className="outlined"
            aria-disabled={busy}
            onClick={({ currentTarget }) =>
              code ? copyWithNotice(store, code, shown.current, currentTarget) : run(pair)
            }
          >
            {t(code ? texts.copyCode : seen ? texts.anotherCode : texts.pair)}
          </Button>
          {code && <p>{t(texts.pairingPhone, numero)}</p>}
        </div>
      )}
      {!may('passkey') && (
        <details>
          <summary>{t(texts.passkeyTitle)}</summary>
          <p>{t(texts.passkey)}</p>
        </details>
      )}
    </div>
  );
}
