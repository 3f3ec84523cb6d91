import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainRefusal } from '../../src/card/test-message.tsx';
import { compile, NO_FILTER } from '../../src/list/filter.ts';
import { createListView } from '../../src/list/list-view.ts';
import { RequestError } from '../../src/server/errors.ts';
import type { Details, Session } from '../../src/session/session.ts';
import { badgeOf, pictureOf, remedyFor } from '../../src/session/states.ts';
import { joined, pass, settled, stopTime, t } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const text = 'Restringida por WhatsApp: puede responder, pero no iniciar chats nuevos.';
const MINUTE = 60_000;

stopTime();

/** A panel with a session that has these details, on a server that announces them. */
async function panel(details: Details, session = connected, calls = {}) {
  const joining = await joined([{ ...session, details }], calls);
  joining.listener.extensions(new Set(['details', 'ack']));
  pass(1);
  const record = () => {
    const found = joining.store.get(numero);
    assert.ok(found);
    return found;
  };
  const tell = (change: Details) => joining.listener.push({ type: 'details', numero, change });
  return { ...joining, record, tell };
}

describe('a CONNECTED session that WhatsApp restricts', () => {
  const until = Date.UTC(2026, 0, 1) + MINUTE;
  const restricted = { text, until };
  /** In the reader's zone, in whole minutes. */
  const hour = new Intl.DateTimeFormat('es', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(until);
  const shown = `${text} Hasta el ${hour}.`;

  it('needs a person, who reads what it may not do, though its state is well', async () => {
    const { record, store, says, events } = await panel({ restricted });
    const { session, status } = record();
    assert.deepEqual([says(numero), status.asks, badgeOf(session, status)], [shown, 'act', 'nothing']);
    assert.equal(pictureOf(record()), 'act');
    assert.equal(remedyFor(record()), undefined);
    assert.deepEqual(events.at(-1), {
      name: 'wo-attention',
      detail: { act: 1, wait: 0, dropped: 0, total: 1 },
    });
    assert.deepEqual(store.counts.get(), { ok: 0, waiting: 0, attention: 1, dropped: 0, restartable: 0 });
    assert.equal(compile({ ...NO_FILTER, bucket: 'attention' })?.(record()), true);
  });

  it('is well when its time is over, and as long as none is told it goes on', async () => {
    const { says, status, tell } = await panel({ restricted });
    pass(58);
    assert.equal(says(numero), shown);
    pass(2);
    assert.deepEqual(
      [says(numero), status(numero)?.asks],
      ['Conectada: envía y recibe mensajes.', 'nothing'],
    );
    tell({ restricted: { text } });
    pass(600);
    assert.equal(says(numero), text);
  });

  it('says until when, as one does that has to wait; and nothing of that where no end is told', async () => {
    const reason = { code: 'banned', text: 'WhatsApp pidió esperar.', until };
    const banned = await panel({ reason }, { ...connected, state: 'WHATSAPP PIDE ESPERAR: …' });
    assert.equal(banned.says(numero), `WhatsApp pidió esperar. Hasta el ${hour}.`);
    const { says } = await panel({ restricted: { text } });
    assert.equal(says(numero), text);
  });

  it('says nothing of it while it is not connected, which is worse', async () => {
    const { says } = await panel({ restricted }, { ...connected, state: 'CONFLICT' });
    assert.match(says(numero) ?? '', /^Está abierta/);
  });

  it('is not to be started where a test message is refused for that, then or later', async () => {
    const refuse = async () => {
      throw new RequestError('Request failed with status code 409', { status: 409 });
    };
    const { store, says, record } = await panel({ restricted }, connected, { send: refuse });
    for (let time = 0; time < 2; time += 1) {
      const { error } = await store.send({ from: numero, to: '34600000001', text: 'Hola' });
      assert.ok(error);
      assert.doesNotMatch(explainRefusal(t, error, '').text, /evant/);
    }
    assert.deepEqual([says(numero), remedyFor(record())], [shown, undefined]);
    pass(60);
    assert.equal(remedyFor(record()), undefined);
  });
});

describe('a sign of life alone', () => {
  it('changes one record, and nothing else: no count, no order, no event, no entry of the history', async () => {
    const { store, tell, record, events } = await panel({
      lastSignal: 1,
      stability: { days: 3, drops: 1, away: 5 },
    });
    const view = createListView(store, { view: 'list', order: 'attention' }, () => false);
    view.follow();
    view.choose({ query: 'connected' });
    const { status, history, details } = record();
    const seen = [
      events.length,
      store.counts.get(),
      store.sections.get(),
      store.snapshot.get(),
      view.state.get(),
    ];
    let changes = 0;
    store.changes.add(() => {
      changes += 1;
    });
    tell({ lastSignal: 61_000 });
    pass(5);
    await settled();
    assert.equal(changes, 1);
    assert.equal(record().status, status);
    assert.equal(record().history, history);
    assert.equal(record().details.lastSignal, 61_000);
    assert.equal(record().details.stability, details.stability);
    assert.deepEqual(
      [events.length, store.counts.get(), store.sections.get(), store.snapshot.get(), view.state.get()],
      seen,
    );
  });
});

describe('a session that is up in name only', () => {
  for (const [code, state] of [
    ['silent', 'SIN SEÑAL: WhatsApp no responde'],
    ['dead-keys', 'CLAVES RECHAZADAS: hay que vincular el teléfono de nuevo'],
  ] as const) {
    it(`has dropped, says what to do, and offers a start: ${code}`, async () => {
      const { listener, tell, record, says, store } = await panel({});
      tell({ reason: { code, text: 'Lo que hay que hacer' } });
      listener.push({ type: 'change_state', numero, state });
      pass(1);
      assert.deepEqual([says(numero), remedyFor(record())], ['Lo que hay que hacer', 'start']);
      assert.deepEqual([store.counts.get().attention, store.counts.get().dropped], [1, 1]);
    });
  }
});
