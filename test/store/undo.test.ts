import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { remedyFor } from '../../src/session/record.ts';
import { joined, pass, settled, stopTime } from './support.ts';

const NUMERO = '5215550001111';
const UNDO_MS = 6_000;

stopTime();

async function deleting() {
  const deleted: string[] = [];
  const panel = await joined([{ numero: NUMERO, state: 'CONNECTED', waiting: false }], {
    delete: async (numero) => void deleted.push(numero),
  });
  const outcome = panel.store.delete(NUMERO, UNDO_MS);
  const remedy = () => {
    const record = panel.store.get(NUMERO);
    return record && remedyFor(record);
  };
  return { ...panel, deleted, outcome, remedy };
}

describe('a deletion that can be taken back', () => {
  it('reaches the server after its time', async () => {
    const { deleted, outcome, session, remedy, says, notices } = await deleting();
    assert.deepEqual([session(NUMERO)?.state, remedy()], ['CERRANDO SESIÓN...', 'undo']);
    assert.equal(says(NUMERO), 'Se elimina en unos segundos.');
    pass(5);
    await settled();
    assert.deepEqual(deleted, []);
    pass(1);
    await outcome;
    assert.deepEqual([deleted, session(NUMERO)], [[NUMERO], undefined]);
    assert.deepEqual(notices, [`positive: La sesión de ${NUMERO} ha sido eliminada`]);
  });

  it('is taken back without a word to the server, and the session is as before', async () => {
    const { store, deleted, outcome, session, remedy, notices, status } = await deleting();
    store.undoDelete(NUMERO);
    await outcome;
    pass(60);
    await settled();
    assert.deepEqual([deleted, notices], [[], []]);
    assert.deepEqual(
      [session(NUMERO)?.state, remedy(), status(NUMERO)?.asks],
      ['CONNECTED', undefined, 'nothing'],
    );
  });

  it('is taken back when nobody could do so any more: the panel is removed', async () => {
    const { store, deleted, outcome } = await deleting();
    store.close();
    await outcome;
    pass(7);
    await settled();
    assert.deepEqual(deleted, []);
  });

  it('is taken back by a start', async () => {
    const { store, deleted, outcome, session } = await deleting();
    const start = store.up(NUMERO);
    await outcome;
    await start;
    pass(7);
    await settled();
    assert.deepEqual([deleted, session(NUMERO)?.state], [[], 'AUTENTICANDO...']);
  });

  it('shows what the server says meanwhile once it is taken back', async () => {
    const { store, listener, outcome, session } = await deleting();
    listener.push({ type: 'change_state', numero: NUMERO, state: 'CONFLICT' });
    assert.equal(session(NUMERO)?.state, 'CERRANDO SESIÓN...');
    store.undoDelete(NUMERO);
    await outcome;
    assert.equal(session(NUMERO)?.state, 'CONFLICT');
  });

  it('is stuck only when the server does not answer after it', async () => {
    const { store, says } = await joined([{ numero: NUMERO, state: 'CONNECTED', waiting: false }], {
      delete: () => new Promise(() => {}),
    });
    void store.delete(NUMERO, UNDO_MS);
    pass(7);
    await settled();
    assert.equal(says(NUMERO), 'El servidor la está eliminando.');
    pass(31);
    assert.equal(says(NUMERO), 'El servidor no responde a la solicitud de eliminarla.');
  });
});
