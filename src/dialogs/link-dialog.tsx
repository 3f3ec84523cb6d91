import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { TimeLeft } from '../card/advice.tsx';
import { usePanel, useSession } from '../context/panel-context.ts';
import { reasonOf } from '../server/errors.ts';
import { linkNote } from '../session/advice.ts';
import * as texts from '../texts/sentences.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { useSecondsLeft } from '../ui/time.ts';
import { STATES, type WireSentLink } from '../wire.ts';
import { Modal, useClose } from './modal.tsx';

/** A link for the person who holds the phone. It is shown only here, and only once: the server keeps no more than its hash. */
export function LinkDialog({ numero }: { numero: string }) {
  const { store, t } = usePanel();
  const close = useClose();
  const { session, details, status } = useSession(numero) ?? {};
  /** It says so until it is closed, though the next step follows meanwhile. */
  const [isForPasskey] = useState(status?.condition === 'passkey');
  /**
   * With the id that is listed while it is valid: that of the link before, until the server has announced this one or a later
   * one, and so announces its end, or a phone has used it; from then on its own.
   */
  const [sent, setSent] = useState<WireSentLink & { readonly listed?: string | undefined }>();
  const [busy, run, failure] = useBusy();
  const shown = useRef<HTMLParagraphElement>(null);
  const left = useSecondsLeft(sent?.expires ?? 0);
  const link = details?.link;
  const note = link && linkNote(t, link);
  const isConnected = session?.state === STATES.connected;
  if (sent && sent.listed !== sent.id && (link?.id !== sent.listed || isConnected))
    setSent({ ...sent, listed: sent.id });

  const create = () =>
    run(async (fail) => {
      const { link: made, error } = await store.run('link', numero);
      if (!made) return fail(t(texts.linkFailed, reasonOf(t, error)));
      setSent({ ...made, listed: link?.id });
    });
  const revoke = () =>
    run(async () => {
      const { error } = await store.run('link', numero, { revoke: true });
      if (!error) close();
    });
  const begin = useEffectEvent(() => {
    if (session && !isConnected && !note) void create();
  });
  useEffect(() => begin(), []);

  const isShown = sent && left > 0 && link?.id === sent.listed;
  const hidden = note ? `${note}. ${t(texts.linkHidden)}` : t(texts.linkOver);
  const words = failure ?? (busy ? t(texts.creatingLink) : hidden);
  return (
    <Modal title={isForPasskey ? texts.passkeyLinkTitle : texts.linkTitle} numero={numero} needs="link">
      {!session ? (
        <p>{t(texts.notListed)}</p>
      ) : isConnected ? (
        <p role="status">{t(texts.alreadyLinked)}</p>
      ) : (
        <>
          {isShown && (
            <>
              <p>{t(isForPasskey ? texts.passkeyLinkAdvice : texts.linkAdvice)}</p>
              <p ref={shown} className="link-url">
                {sent.url}
              </p>
            </>
          )}
          <div className="dialog-buttons">
            <div>
              {isShown && <TimeLeft until={sent.expires} />}
              <p role="status" className={failure && !isShown ? 'failure' : 'muted'}>
                {isShown ? link?.opened !== undefined && note : words}
              </p>
            </div>
            {(isShown || note) && (
              <Button className="danger" aria-disabled={busy} onClick={revoke}>
                {t(texts.revoke)}
              </Button>
            )}
            {isShown ? (
              <Button
                key="copy"
                // The main action.
                autoFocus
                className="filled"
                onClick={({ currentTarget }) => copyWithNotice(store, sent.url, shown.current, currentTarget)}
              >
                {t(texts.copy)}
              </Button>
            ) : (
              <Button className="filled" aria-disabled={busy} onClick={create}>
                {t(failure ? texts.retry : texts.anotherLink)}
              </Button>
            )}
          </div>
        </>
      )}
    </Modal>
  );
}
