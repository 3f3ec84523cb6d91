import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply, NO_DETAILS, type Session, type SessionEvent } from '../../src/session/session.ts';

const numero = '5491155550001';
const idle: Session = { numero, state: 'DESCONECTADO', waiting: false };
const withCode: Session = { numero, state: 'AUTENTICANDO...', qrCode: '2@code', waiting: false };

const next = (session: Session | undefined, event: SessionEvent) =>
  apply(session && { session, details: NO_DETAILS }, event)?.session;

describe('what happens to a session', () => {
  it('created: AUTENTICANDO... and waiting, whatever it was', () => {
    const created = { numero, state: 'AUTENTICANDO...', waiting: true };
    assert.deepEqual(next(undefined, { type: 'started', numero }), created);
    assert.deepEqual(next(withCode, { type: 'started', numero }), created);
  });

  it('a code: stored, AUTENTICANDO..., no longer waiting', () => {
    const created: Session = { numero, state: 'AUTENTICANDO...', waiting: true };
    assert.deepEqual(next(created, { type: 'qr', numero, qrCode: '2@code' }), withCode);
    assert.deepEqual(next(idle, { type: 'qr', numero, qrCode: '2@code' }), withCode);
  });

  it('authenticated: the code goes, the state text stays', () => {
    const session = next({ ...withCode, state: 'ALGO' }, { type: 'authenticated', numero });
    assert.deepEqual(session, { numero, state: 'ALGO', waiting: false });
  });

  it('ready: CONNECTED, no longer waiting, no code', () => {
    const connected = { numero, state: 'CONNECTED', waiting: false };
    assert.deepEqual(next({ ...idle, waiting: true }, { type: 'ready', numero }), connected);
    assert.deepEqual(next(withCode, { type: 'ready', numero }), connected);
  });

  for (const type of ['disconnected', 'qr_timeout'] as const) {
    it(`${type}: DESCONECTADO, no code, not waiting`, () => {
      assert.deepEqual(next(withCode, { type, numero }), idle);
      assert.deepEqual(next({ ...withCode, waiting: true }, { type, numero }), idle);
    });
  }

  it('change_state: any text, and nothing else', () => {
    const session = next(withCode, { type: 'change_state', numero, state: '¿Qué?' });
    assert.deepEqual(session, { ...withCode, state: '¿Qué?' });
  });

  it('a push about what is not listed adds nothing', () => {
    assert.equal(next(undefined, { type: 'qr', numero, qrCode: '2@code' }), undefined);
    assert.equal(next(undefined, { type: 'ready', numero }), undefined);
    assert.equal(next(undefined, { type: 'change_state', numero, state: 'CONNECTED' }), undefined);
  });

  it('deleted: gone', () => {
    assert.equal(next(idle, { type: 'deleted', numero }), undefined);
  });

  it('never changes a session in place', () => {
    const before = structuredClone(withCode);
    next(Object.freeze(withCode), { type: 'change_state', numero, state: 'X' });
    assert.deepEqual(withCode, before);
  });
});
