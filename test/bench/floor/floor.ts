/**
 * The floor: what the panel's page costs at least. The same sessions as the same cards, by hand and without anything
 * between: no state but the list, no action, no message, and one listener where one will do.
 */
import { io } from 'socket.io-client';
import { createParser } from '../../../src/server/parse.ts';
import { apply, NO_DETAILS, type Session } from '../../../src/session/session.ts';
import { adoptStyles } from '../../../src/style-sheet.ts';
import { createTranslate } from '../../../src/texts/translate.ts';
import { createCard, type FloorCard } from './card.ts';
import { part } from './template.ts';

const parser = createParser(createTranslate());

const host = part(document, 'div');
adoptStyles(host);
const { shadowRoot } = host;
if (!shadowRoot) throw new Error('This is not the page of the floor');
const grid = part(shadowRoot, '.grid');
const filter = part(shadowRoot, 'search');

const sessions = new Map<string, Session>();
const cards = new Map<string, FloorCard>();
const byElement = new WeakMap<EventTarget, FloorCard>();

grid.addEventListener(
  'contentvisibilityautostatechange',
  (event) => {
    if (!(event instanceof ContentVisibilityAutoStateChangeEvent) || !event.target) return;
    byElement.get(event.target)?.setRendered(!event.skipped);
  },
  true,
);

filter.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  for (const [numero, { element }] of cards) element.hidden = !numero.includes(target.value);
});

const socket = io({ transports: ['polling', 'websocket'] });
socket.onAny((name: string, ...args: unknown[]) => {
  const push = parser.push(name, args);
  const before = push && sessions.get(push.numero);
  const session = push && apply(before && { session: before, details: NO_DETAILS }, push)?.session;
  if (!session || session === before) return;
  sessions.set(session.numero, session);
  cards.get(session.numero)?.show(session, true);
});

async function list(url: string): Promise<void> {
  const listed: Session[] = await (await fetch(url)).json();
  const all = new DocumentFragment();
  for (const session of listed) {
    const card = createCard(session);
    sessions.set(session.numero, session);
    cards.set(session.numero, card);
    byElement.set(card.element, card);
    all.append(card.element);
  }
  filter.hidden = listed.length < 9;
  grid.append(all);
}

list('/api/session/sessions').catch(reportError);
