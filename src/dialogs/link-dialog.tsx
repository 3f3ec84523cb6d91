import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { linkNote } from '../card/advice.tsx';
import { usePanel, useSession } from '../context/panel-context.ts';
import { messageOf } from '../server/http.ts';
import type { SentLink } from '../server/parse.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { Button } from '../ui/button.tsx';
import { Late, useSecondsLeft } from '../ui/live-time.tsx';
import { inMinutes, time } from '../ui/time.ts';
import { STATES } from '../wire.ts';
import { copyWithNotice } from './copy-with-notice.ts';
import { Modal, useClose } from './modal.tsx';

/** Milliseconds by which two reports of one moment may differ. */
const TOLERANCE_MS = 5_000;

/** A link for the person who holds the phone. It is shown only here, and only once: the server keeps no more than its hash. */
export function LinkDialog({ numero }: { numero: string }) {
  const { store } = usePanel();
  const close = useClose();
  const { session, details } = useSession(numero) ?? {};
  const [sent, setSent] = useState<SentLink>();
  /** Whether the server has announced this link, and so announces its end, or a phone has used it. */
  const [isTold, setTold] = useState(false);
  const [busy, run, failure] = useBusy();
  const left = useSecondsLeft(sent?.expires ?? 0);
  const link = details?.link;
  const note = link && linkNote(link);
  const isOut = sent && link && Math.abs(sent.expires - link.expires) < TOLERANCE_MS;
  const isConnected = session?.state === STATES.connected;
  if ((isOut || isConnected) && !isTold) setTold(true);

  const create = () =>
    run(async (fail) => {
      const answer = await store.createLink(numero);
      if (answer instanceof Error) return fail(texts.linkFailed(messageOf(answer)));
      setTold(false);
      setSent(answer);
    });
  const revoke = () =>
    run(async () => {
      const { error } = await store.revokeLink(numero);
      if (!error) close();
    });
  const begin = useEffectEvent(() => {
    if (session && !isConnected && !note) void create();
  });
  useEffect(() => begin(), []);

  const isShown = sent && left > 0 && (isOut || !isTold);
  const hidden = note ? `${note}. ${texts.linkHidden}` : texts.linkOver;
  const words = failure ?? (busy ? texts.creatingLink : hidden);
  return (
    <Modal title={texts.linkTitle(numero)} numero={numero} needs="link">
      {!session ? (
        <p>{texts.notListed}</p>
      ) : isConnected ? (
        <p role="status">{texts.alreadyLinked}</p>
      ) : (
        <div className="link">
          {isShown && <Sent numero={numero} link={sent} />}
          <p>
            {isShown && <span role="timer">{texts.timeLeft(inMinutes(left))}</span>}
            <span role="status">
              {isShown ? link?.opened !== undefined && note : words} {busy && <Late>{texts.listLate}</Late>}
            </span>
          </p>
          <div className="dialog-buttons">
            {(isShown || note) && (
              <Button className="danger" aria-disabled={busy} onClick={revoke}>
                {texts.revoke}
              </Button>
            )}
            {!isShown && (
              <Button className="filled" aria-disabled={busy} onClick={create}>
                {failure ? texts.retry : texts.anotherLink}
              </Button>
            )}
          </div>
        </div>
      )}
    </Modal>
  );
}

/** The link, and ways to pass it on. */
function Sent({ numero, link: { url, expires } }: { numero: string; link: SentLink }) {
  const { store } = usePanel();
  const shown = useRef<HTMLParagraphElement>(null);
  const subject = texts.linkSubject(numero);
  const body = texts.linkBody(numero, time(expires));
  const message = encodeURIComponent(`${body}\r\n\r\n${url}`);

  return (
    <>
      <p>{texts.linkAdvice(numero)}</p>
      <p ref={shown} className="link-url">
        {url}
      </p>
      <div className="code-buttons">
        <Button
          // The main action.
          autoFocus
          className="filled"
          onClick={({ currentTarget }) => copyWithNotice(store, url, shown.current, currentTarget)}
        >
          {texts.copy}
        </Button>
        {'share' in navigator && (
          <Button
            className="tonal"
            // Closing the list of targets rejects: that is no failure.
            onClick={() => navigator.share({ title: subject, text: body, url }).catch(() => {})}
          >
            {texts.share}
          </Button>
        )}
        {/* In another tab: a mail service would replace the page. */}
        <a
          className="tonal"
          href={`mailto:?subject=${encodeURIComponent(subject)}&body=${message}`}
          target="_blank"
          rel="noreferrer"
        >
          {texts.mail}
        </a>
      </div>
    </>
  );
}
