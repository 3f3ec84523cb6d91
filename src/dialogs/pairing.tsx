import { useLayoutEffect, useRef, useState } from 'react';
import { usePanel } from '../panel-context.ts';
import type { Pairing } from '../session/session.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { LateAnswer } from '../ui/late-answer.tsx';
import { inMinutes, useSecondsLeft } from '../ui/time-left.ts';
import { copyText } from './copy-text.ts';

interface Props {
  readonly numero: string;
  readonly pairing: Pairing | undefined;
  /** Shows the code that there is, or brings one. */
  readonly ask: () => Promise<void>;
}

/** The code to type on the phone, while there is one, and the button that asks for it. */
export function PairingCode({ numero, pairing, ask }: Props) {
  const { store } = usePanel();
  const [seen, setSeen] = useState<Pairing>();
  const [busy, run] = useBusy();
  const shown = useRef<HTMLParagraphElement>(null);
  const left = useSecondsLeft(pairing?.expires ?? 0);
  const code = left > 0 && pairing ? `${pairing.code.slice(0, 4)}-${pairing.code.slice(4)}` : undefined;
  if (pairing && pairing !== seen) setSeen(pairing);
  // On a phone it would be below the lower edge of the dialog.
  useLayoutEffect(() => {
    if (code) shown.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [code]);

  const copy = async (button: HTMLButtonElement) => {
    const copied = code && shown.current && (await copyText(code, shown.current, button));
    store.notify('positive', copied ? texts.copied : texts.notCopied, 'copy');
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
      {/* One button whatever it does, so that it keeps the focus. */}
      <button
        type="button"
        className="tonal"
        aria-disabled={busy || undefined}
        onClick={({ currentTarget }) => (code ? copy(currentTarget) : run(ask))}
      >
        {code ? texts.copyCode : seen ? texts.anotherCode : texts.pair}
      </button>
      {code && <p>{texts.pairingPhone(numero)}</p>}
    </div>
  );
}
