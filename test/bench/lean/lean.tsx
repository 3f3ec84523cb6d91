/**
 * The leanest page in React with the packages of the panel: the same sessions as the same cards, and nothing that they can do.
 * Codes and notices come after the first paint.
 */
import r2wc from '@r2wc/react-to-web-component';
import { QRCodeSVG } from 'qrcode.react';
import { memo, useEffect, useId, useState } from 'react';
import { ToastContainer } from 'react-toastify/unstyled';
import { io } from 'socket.io-client';
import { createParser } from '../../../src/server/parse.ts';
import { apply, NO_DETAILS, type Session } from '../../../src/session/session.ts';
import { asksOf, type Condition, conditionByState } from '../../../src/session/states.ts';
import { adoptStyles } from '../../../src/style-sheet.ts';
import * as texts from '../../../src/texts/sentences.ts';
import { createTranslate } from '../../../src/texts/translate.ts';

const t = createTranslate();
const SENTENCES: Partial<Record<Condition, string>> = texts.conditions;
const parser = createParser(t);

// Before React has rendered anything.
const listed = list();

function Page() {
  const [sessions, setSessions] = useState<ReadonlyMap<string, Session>>(new Map());
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    listed.then(setSessions).catch(reportError);
    const socket = io({ transports: ['polling', 'websocket'] });
    socket.onAny((name: string, ...args: unknown[]) => {
      const push = parser.push(name, args);
      if (!push) return;
      setSessions((before) => {
        const session = before.get(push.numero);
        const now = apply(session && { session, details: NO_DETAILS }, push)?.session;
        return now ? new Map(before).set(push.numero, now) : before;
      });
    });
  }, []);
  const isListed = sessions.size > 0;
  useEffect(() => {
    if (isListed) requestAnimationFrame(() => setTimeout(() => setPainted(true)));
  }, [isListed]);

  return (
    <section className="panel" lang="es" dir="ltr" aria-labelledby="title">
      <style>{'.card { content-visibility: auto; contain-intrinsic-block-size: auto 820px; }'}</style>
      <header className="header">
        <h1 id="title">{texts.title}</h1>
        <button type="button" className="add" title={texts.add} aria-label={texts.add}>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d="M12 5v14M5 12h14" fill="none" stroke="currentColor" strokeWidth="2.5" />
          </svg>
        </button>
      </header>
      <div className="main">
        <h2>{texts.sessions}</h2>
        <div className="grid">
          {Array.from(sessions.values(), (session) => (
            <Card key={session.numero} session={session} isPainted={isPainted} />
          ))}
        </div>
      </div>
      <footer className="footer">{t(texts.footer, new Date().getFullYear(), 'WhatsApp Operadores')}</footer>
      {isPainted && <ToastContainer />}
    </section>
  );
}

async function list(): Promise<ReadonlyMap<string, Session>> {
  const listed: Session[] = await (await fetch('/api/session/sessions')).json();
  return new Map(listed.map((session) => [session.numero, session]));
}

interface CardProps {
  readonly session: Session;
  readonly isPainted: boolean;
}

const Card = memo(({ session, isPainted }: CardProps) => {
  const { numero, state, qrCode } = session;
  const id = useId();
  return (
    <article className="card" data-numero={numero} aria-labelledby={id}>
      <div className="picture">
        {qrCode !== undefined && (
          <div className="qr">
            {isPainted && (
              <QRCodeSVG value={qrCode} size={300} level="H" marginSize={4} title={t(texts.qrCode, numero)} />
            )}
          </div>
        )}
      </div>
      <div className="identity">
        <h3 id={id} tabIndex={-1}>
          {numero}
        </h3>
        <p className="state" data-asks={asksOf(session)}>
          {state}
        </p>
        <div className="advice">
          <p>{SENTENCES[conditionByState(session)]}</p>
        </div>
      </div>
      <div className="test-message">
        <label htmlFor={`${id}t`}>{texts.testMessage}</label>
        <input id={`${id}t`} name="text" type="text" />
        <label htmlFor={`${id}n`}>{texts.number}</label>
        <input id={`${id}n`} name="to" type="text" inputMode="tel" />
        <button type="button" className="tonal">
          {texts.send}
        </button>
      </div>
      <div className="actions">
        <button type="button" className="flat">
          {texts.start}
        </button>
        <button type="button" className="flat danger">
          {texts.deleteSession}
        </button>
      </div>
    </article>
  );
});

const Element = r2wc(Page, { shadow: 'open' });

customElements.define(
  'lean-page',
  class extends Element {
    constructor() {
      super();
      adoptStyles(this);
    }
  },
);
