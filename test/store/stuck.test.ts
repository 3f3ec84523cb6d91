import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { count } from '../../src/session/counts.ts';
import type { Push, Session } from '../../src/session/session.ts';
import { badgeOf } from '../../src/session/states.ts';
import * as texts from '../../src/texts/sentences.ts';
import { held, joined, pass, settled, stopTime } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const down: Session = { numero, state: 'DESCONECTADO', waiting: false };
const withCode: Session = { numero, state: 'AUTENTICANDO...', qrCode: '2@1', waiting: false };

stopTime();

/** What should pass by itself: how it comes about, what the card says of it, and how many seconds that may last. */
const PASSING: readonly [
  what: string,
  listed: Session,
  push: Push,
  says: string,
  seconds: number,
  late: string,
][] = [
  [
    'waiting without a code',
    { ...connected, waiting: true },
    { type: 'change_state', numero, state: 'AUTENTICANDO...' },
    'El servidor está preparando el código.',
    60,
    'El servidor no ha enviado el código. Puede estar saturado o no poder abrir WhatsApp.',
  ],
  [
    'authenticated and not ready',
    withCode,
    { type: 'authenticated', numero },
    'El teléfono se está vinculando.',
    90,
    'El teléfono escaneó el código, pero no se conecta. Abre WhatsApp en el teléfono.',
  ],
  [
    'a state that should pass',
    connected,
    { type: 'change_state', numero, state: 'OPENING' },
    'Se está conectando con WhatsApp; suele tardar menos de un minuto.',
    180,
    'Sigue así desde hace más de tres minutos.',
  ],
  [
    'closing, which nobody asked for here',
    connected,
    { type: 'change_state', numero, state: 'CERRANDO SESIÓN...' },
    'El servidor la está eliminando.',
    30,
    'El servidor no responde a la solicitud de eliminarla.',
  ],
];

describe('what takes too long is flagged until news comes', () => {
  for (const [what, listed, push, sentence, seconds, late] of PASSING) {
    it(`${what}, after ${seconds} s`, async () => {
      const { listener, says, status } = await joined([listed]);
      listener.push(push);
      assert.equal(says(numero), sentence);
      pass(seconds - 1);
      assert.equal(says(numero), sentence);
      assert.equal(status(numero)?.asks, 'wait');
      pass(2);
      assert.equal(says(numero), late);
      assert.equal(status(numero)?.asks, 'act');
      listener.push({ type: 'ready', numero });
      assert.equal(says(numero), 'Conectada: envía y recibe mensajes.');
      assert.equal(status(numero)?.asks, 'nothing');
    });
  }

  it('news restarts the time, repeated news does not', async () => {
    const { listener, status } = await joined([connected]);
    for (const state of ['OPENING', 'PAIRING', 'PAIRING']) {
      listener.push({ type: 'change_state', numero, state });
      pass(100);
    }
    assert.equal(status(numero)?.condition, 'notPassing');
  });

  const told: readonly [what: string, listed: Session, minutes: number, condition: string][] = [
    ['a state that began long ago', { ...connected, state: 'OPENING' }, 10, 'notPassing'],
    ['a code that is long due', { ...withCode, qrCode: undefined, waiting: true }, 2, 'noCode'],
    ['a state that began a minute ago', { ...connected, state: 'OPENING' }, 1, 'OPENING'],
    ['a moment in the future', { ...connected, state: 'OPENING' }, -10, 'OPENING'],
    ['a scan, whose moment nobody tells', { ...withCode, qrCode: undefined }, 10, 'AUTENTICANDO...'],
    ['a start, whose moment nobody tells', { ...down, waiting: true }, 10, 'DESCONECTADO'],
  ];
  for (const [what, session, minutes, condition] of told) {
    it(`the time that a server tells counts from the first list: ${what}`, async () => {
      const details = { since: Date.now() - minutes * 60_000 };
      const { listener, status } = await joined([{ ...session, details }]);
      listener.extensions(new Set(['details']));
      assert.equal(status(numero)?.condition, condition);
    });
  }

  it('the time that a server tells counts until news comes', async () => {
    const details = { since: Date.now() - 120_000 };
    const { listener, status } = await joined([{ ...connected, state: 'OPENING', details }]);
    listener.extensions(new Set(['details']));
    pass(59);
    assert.equal(status(numero)?.condition, 'OPENING');
    pass(2);
    assert.equal(status(numero)?.condition, 'notPassing');
    listener.push({ type: 'change_state', numero, state: 'PAIRING' });
    assert.equal(status(numero)?.condition, 'PAIRING');
  });

  it('sessions that wait for nothing are never flagged', async () => {
    const { says, status } = await joined([connected]);
    pass(3600);
    assert.equal(says(numero), 'Conectada: envía y recibe mensajes.');
    assert.equal(status(numero)?.asks, 'nothing');
  });
});

describe('a deletion without an answer', () => {
  it('is flagged after 30 s; a retry deletes the session and is reported once', async () => {
    const deletions = held<string | undefined>();
    const { store, says, notices } = await joined([connected], { delete: deletions.call });
    const deleted = store.delete(numero);
    await settled();
    assert.equal(says(numero), 'El servidor la está eliminando.');
    pass(31);
    assert.equal(says(numero), texts.conditions.notDeleting);
    void store.delete(numero);
    assert.equal(says(numero), 'El servidor la está eliminando.');
    await settled();
    await deletions.answer(undefined);
    await deleted;
    assert.equal(deletions.asked.length, 2);
    assert.deepEqual(store.numeros.get(), []);
    assert.deepEqual(notices, [`positive: La sesión de ${numero} ha sido eliminada`]);
  });
});

describe('a start without an answer', () => {
  async function starting() {
    const starts = held<string>();
    const panel = await joined([down], { start: starts.call });
    // Without pushes the list is asked for, and is newer than the start.
    panel.listener.connection(true);
    await settled();
    const outcome = panel.store.up(numero);
    await settled();
    return { ...panel, starts, outcome };
  }

  it('is flagged after 30 s until the answer comes', async () => {
    const { starts, says, status } = await starting();
    pass(29);
    assert.equal(says(numero), 'Está desconectada de WhatsApp. Levántala para volver a usarla.');
    pass(2);
    assert.match(says(numero) ?? '', /^El servidor todavía no responde\./);
    assert.equal(status(numero)?.asks, 'act');
    await starts.answer(numero);
    assert.equal(says(numero), 'El servidor está preparando el código.');
  });

  it('is flagged until a push comes', async () => {
    const { listener, says } = await starting();
    pass(31);
    listener.push({ type: 'qr', numero, qrCode: '2@1' });
    assert.equal(says(numero), 'Escanéalo con el teléfono de este número.');
  });

  it('is reported once after a retry', async () => {
    const { store, starts, outcome, notices } = await starting();
    pass(31);
    void store.up(numero);
    await settled();
    await starts.answer(numero);
    await outcome;
    assert.equal(starts.asked.length, 2);
    assert.deepEqual(notices, [`positive: La sesión de ${numero} comenzará a levantarse`]);
  });

  it('takes precedence over an earlier failure', async () => {
    const { store, starts, says } = await starting();
    await starts.answer(new Error('no'));
    assert.match(says(numero) ?? '', /^No se pudo levantar/);
    void store.up(numero);
    await settled();
    pass(31);
    assert.match(says(numero) ?? '', /^El servidor todavía no responde/);
  });
});

describe('an action that failed', () => {
  it('to start: is shown on the card with reason and next step until a retry succeeds', async () => {
    const starts = held<string>();
    const { store, says, status, session } = await joined([down], { start: starts.call });
    const first = store.up(numero);
    await settled();
    await starts.answer(new Error('No hay memoria.'));
    await first;
    assert.equal(
      says(numero),
      'No se pudo levantar: No hay memoria. Reinténtalo; si sigue igual, avisa a quien administra el servidor.',
    );
    assert.equal(status(numero)?.asks, 'act');
    assert.deepEqual(session(numero), down);
    const second = store.up(numero);
    await settled();
    await starts.answer(numero);
    await second;
    assert.equal(says(numero), 'El servidor está preparando el código.');
  });

  it('is told in short where its reason is long, of which the notice has all', async () => {
    const start = () => Promise.reject(new Error('x'.repeat(300)));
    const { store, says } = await joined([down], { start });
    await store.up(numero);
    assert.match(says(numero) ?? '', /^No se pudo levantar: x{98}…\. Reinténtalo/);
  });

  describe('to start', () => {
    const failed = async (listed: Session) => {
      const panel = await joined([listed], { start: () => Promise.reject(new Error('No hay memoria.')) });
      await panel.store.up(numero);
      const badge = () => {
        const { session, status } = panel.store.get(numero) ?? {};
        return session && status && badgeOf(session, status);
      };
      return { ...panel, badge };
    };
    const reason = /^No se pudo levantar: No hay memoria\./;

    it('stays through the pushes that follow, and needs a person, whatever the badge shows', async () => {
      const { listener, says, badge, store, status } = await failed(connected);
      assert.equal(badge(), 'nothing');
      for (const [push, shown] of [
        [{ type: 'change_state', numero, state: 'OPENING' }, 'wait'],
        [{ type: 'disconnected', numero }, 'act'],
        [{ type: 'change_state', numero, state: 'TIMEOUT' }, 'wait'],
        [{ type: 'qr_timeout', numero }, 'act'],
      ] as const) {
        listener.push(push);
        assert.match(says(numero) ?? '', reason);
        assert.equal(badge(), shown);
        assert.equal(status(numero)?.asks, 'act');
        assert.equal(count(store.records).attention, 1);
      }
    });

    const ends: readonly [what: string, push: Push][] = [
      ['it is ready', { type: 'ready', numero }],
      ['it is CONNECTED', { type: 'change_state', numero, state: 'CONNECTED' }],
      ['it has a code', { type: 'qr', numero, qrCode: '2@1' }],
      ['it was started elsewhere', { type: 'change_state', numero, state: 'AUTENTICANDO...' }],
    ];
    for (const [what, push] of ends) {
      it(`is forgotten when ${what}`, async () => {
        const { listener, says, store } = await failed(down);
        listener.push({ type: 'change_state', numero, state: 'OPENING' });
        assert.match(says(numero) ?? '', reason);
        listener.push(push);
        assert.equal(store.get(numero)?.failure, undefined);
      });
    }
  });

  it('to delete: is cleared by the next event', async () => {
    const { store, listener, says } = await joined([down], { delete: () => Promise.reject(new Error('no')) });
    await store.delete(numero);
    listener.push({ type: 'change_state', numero, state: 'TIMEOUT' });
    assert.equal(says(numero), 'WhatsApp no responde; el servidor lo sigue intentando.');
  });
});
