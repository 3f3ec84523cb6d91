import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createParser } from '../../src/server/parse.ts';
import { explain } from '../../src/session/advice.ts';
import { reduce } from '../../src/session/record.ts';
import { applyPush, readState, type SessionItem } from '../../src/states.ts';
import { DROP_REASONS, STATES } from '../../src/wire.ts';
import { stopTime, t } from './support.ts';

const numero = '5491155550001';
const now = Date.UTC(2026, 0, 1, 12);
const connected: SessionItem = { numero, state: 'CONNECTED', waiting: false };
const reason = { code: 'device-removed', text: 'El dispositivo se quitó desde el teléfono.' };
const dropped: SessionItem = { numero, state: 'DESCONECTADO', waiting: false, since: now, reason };

describe('what a host reads of an item of the list', () => {
  it('is what it asks, how urgent that is, whether it dropped, and the advice of the panel', () => {
    assert.deepEqual(readState(connected, { now }), {
      asks: 'nothing',
      severity: 'ok',
      dropped: false,
      advice: 'Conectada: envía y recibe mensajes.',
    });
    assert.deepEqual(readState(dropped, { now }), {
      asks: 'act',
      severity: 'attention',
      dropped: true,
      advice: reason.text,
    });
  });

  it('has no advice where the text of the state says it', () => {
    const { asks, severity, advice } = readState({ numero, state: 'CARGANDO...' });
    assert.deepEqual([asks, severity, advice], ['wait', 'waiting', undefined]);
  });

  it('is unknown, and no error, of whatever is no item', () => {
    for (const odd of [undefined, null, 7, 'CONNECTED', [], { state: 7, reason: 'x', since: '1' }]) {
      const { asks, severity, dropped } = readState(odd);
      assert.deepEqual([asks, severity, dropped], ['unknown', 'attention', false]);
    }
  });

  it('takes odd fields for absent', () => {
    const odd = { ...dropped, numero: 7, reason: { code: 7, text: 'x' }, restricted: [], passkey: 'sign' };
    const { asks, dropped: isDropped, advice } = readState(odd);
    const plain = 'Está desconectada de WhatsApp. Levántala para volver a usarla.';
    assert.deepEqual([asks, isDropped, advice], ['act', false, plain]);
  });

  it('drops by its reason alone, whether the server tells since when or not', () => {
    assert.equal(readState({ ...dropped, since: undefined }).dropped, true);
    assert.equal(readState({ ...dropped, state: 'CONNECTED' }).dropped, false);
    assert.equal(readState({ ...dropped, reason: { ...reason, code: 'unlinked' } }).dropped, false);
  });

  it('changes by time: a wait for too long, a code that is over, and a restriction that ends', () => {
    const asks = (item: object, at: number) => readState({ numero, ...item }, { now: at }).asks;
    const opening = { state: 'OPENING', since: now };
    assert.deepEqual([asks(opening, now), asks(opening, now + 180_000)], ['wait', 'act']);
    const code = { state: 'AUTENTICANDO...', qrCode: '2@a', codeExpires: now + 60_000 };
    assert.deepEqual([asks(code, now), asks(code, now + 62_500)], ['scan', 'act']);
    const restricted = { state: 'CONNECTED', restricted: { text: 'Restringida.', until: now + 60_000 } };
    assert.deepEqual([asks(restricted, now), asks(restricted, now + 60_000)], ['act', 'nothing']);
  });

  it('adds the hour until when a reason counts, in the language of the texts of the host', () => {
    const item = { ...dropped, reason: { ...reason, text: 'Bloqueada.', until: Date.UTC(2026, 4, 3, 12) } };
    assert.match(readState(item).advice ?? '', /^Bloqueada\. Hasta el 3 may 2026, \d\d:\d\d\.$/);
    const texts = { es: 'en', '{0}. Hasta el {1}.': '{0} until {1}' };
    assert.match(readState(item, { texts }).advice ?? '', /^Bloqueada until May 3, 2026, \d\d:\d\d/);
  });

  it('is in the texts of the host, which need a language that exists', () => {
    const texts = { 'Conectada: envía y recibe mensajes.': 'Works' };
    assert.equal(readState(connected, { texts }).advice, 'Works');
    assert.throws(() => readState(connected, { texts: { es: 'not a tag' } }), RangeError);
  });
});

describe('an item after a push', () => {
  it('is the same where the push is about another, is none, is invalid or changes nothing', () => {
    const same: readonly [event: string, ...args: unknown[]][] = [
      ['session:disconnected:5491155550002'],
      ['session:change_state', { numero: '5491155550002', state: 'X' }],
      ['session:created', { numero: '5491155550002', state: 'X' }],
      ['session:deleted', { numero: '5491155550002' }],
      ['server:extensions', { extensions: ['details'] }],
      [`session:code:${numero}`, null],
      ['toString'],
      ['session:change_state', null],
      [`session:qr:${numero}`, 7],
      [`session:ready:${numero}`],
      [`session:change_state`, numero, 'CONNECTED'],
      [`session:details:${numero}`, { label: null, reason: 7 }],
    ];
    for (const push of same) assert.equal(applyPush(connected, ...push), connected, push[0]);
    const details = { since: now, reason: { ...reason } };
    assert.equal(applyPush(dropped, `session:details:${numero}`, details), dropped);
  });

  it('asks what the push says', () => {
    const down = applyPush(connected, `session:details:${numero}`, { since: now, reason });
    const item = applyPush(down, `session:disconnected:${numero}`);
    assert.deepEqual(readState(item), readState(dropped));
    const coded = applyPush(item, `session:qr:${numero}`, '2@a');
    assert.equal(readState(coded, { now }).asks, 'scan');
    const scanned = applyPush(coded, `session:authenticated:${numero}`);
    assert.deepEqual([scanned?.qrCode, readState(scanned, { now }).asks], [undefined, 'wait']);
    const ready = applyPush(scanned, `session:ready:${numero}`);
    assert.equal(readState(applyPush(ready, 'session:change_state', { numero, state: 'A: b' })).asks, 'act');
  });

  it('keeps what the push does not change, of the server and of the host', () => {
    const own = { ...connected, label: 'Recepción', quota: { used: 1, total: 9 }, client: 'Altamar' };
    const item = applyPush(own, `session:details:${numero}`, { label: null, group: 'Tienda' });
    assert.deepEqual(JSON.parse(JSON.stringify(item)), {
      ...connected,
      quota: own.quota,
      client: 'Altamar',
      group: 'Tienda',
    });
  });

  it('is undefined once it is deleted, and new once it is created', () => {
    assert.equal(applyPush(connected, 'session:deleted', { numero }), undefined);
    assert.equal(applyPush(undefined, `session:ready:${numero}`), undefined);
    const created = applyPush(undefined, 'session:created', {
      numero,
      state: 'AUTENTICANDO...',
      waiting: true,
    });
    assert.deepEqual([created?.numero, readState(created).asks], [numero, 'wait']);
    assert.equal(readState(applyPush(dropped, 'session:created', connected)).dropped, false);
    assert.equal(applyPush(dropped, 'session:created', connected)?.reason, undefined);
  });

  it('keeps a numero that is a number', () => {
    const item = { ...connected, numero: 549 };
    const parsed: SessionItem = JSON.parse(JSON.stringify(item));
    const down = applyPush(parsed, 'session:disconnected:549');
    assert.deepEqual([down?.numero, down?.state], [549, 'DESCONECTADO']);
  });
});

describe('a host and a panel that has just opened', () => {
  stopTime();
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const moment = fc.integer({ min: now - 200_000, max: now + 200_000 });
  const told = { text: fc.constantFrom('Bloqueada.', ''), until: optional(moment) };
  const items = fc.record({
    numero: fc.constant(numero),
    state: fc.oneof(
      fc.constantFrom(...Object.values(STATES), 'OPENING', 'CONFLICT', 'UNPAIRED_IDLE', 'X...', 'A: b'),
      fc.string(),
    ),
    qrCode: optional(fc.constantFrom('2@a,b', '')),
    waiting: optional(fc.boolean()),
    since: optional(moment),
    codeExpires: optional(moment),
    by: optional(fc.constant('Ana')),
    reason: optional(
      fc.record({ code: fc.constantFrom(...DROP_REASONS, 'unlinked', 'not-scanned'), ...told }),
    ),
    restricted: optional(fc.record(told)),
    passkey: optional(fc.record({ step: fc.constantFrom('sign', 'confirm', 'wait'), text: told.text })),
  });

  it('say the same of every item', () => {
    fc.assert(
      fc.property(items, (item) => {
        const [description] = createParser(t).list({ body: [item], url: '', clockOffset: 0 });
        const context = { now, entryId: 1, naming: undefined, group: '', areDetailsShown: true };
        const record = reduce(undefined, { type: 'listed', numero, description }, context);
        assert.ok(record);
        const { asks, dropped, advice } = readState(item, { now });
        assert.equal(asks, record.status.asks);
        assert.equal(advice, explain({ t, may: () => true }, record));
        if (item.since !== undefined) assert.equal(dropped, record.status.droppedAt !== undefined);
      }),
      { numRuns: 2000 },
    );
  });
});
