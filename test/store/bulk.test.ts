import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSelection } from '../../src/card/selection.ts';
import { createBulkStart, isRunning, numerosAt, textOf } from '../../src/list/bulk-start.ts';
import type { Session } from '../../src/session/session.ts';
import { held, joined, pass, settled, stopTime } from './support.ts';

const numeros = ['1', '2', '3', '4', '5'];
const down = (numero: string): Session => ({ numero, state: 'DESCONECTADO', waiting: false });

stopTime();

/** A run over five sessions, whose starts the test answers. */
async function running() {
  const starts = held<string>();
  const panel = await joined(numeros.map(down), { start: starts.call });
  const bulk = createBulkStart(panel.store);
  bulk.start(numeros);
  await settled();
  const run = () => {
    const shown = bulk.run.get();
    assert.ok(shown);
    return shown;
  };
  return {
    ...panel,
    starts,
    bulk,
    run,
    text: () => textOf(run()),
    /** The answers in their order. */
    results: () =>
      [...run()].flatMap(([numero, progress]) => {
        if (progress instanceof Error) return `${numero} ${progress.message}`;
        return progress === 'started' ? `${numero} ok` : [];
      }),
  };
}

describe('many starts', () => {
  it('run three at a time; results are in the order of the answers', async () => {
    const { starts, run, text, results, notices } = await running();
    assert.deepEqual(starts.asked, ['1', '2', '3']);
    assert.equal(text(), 'Levantando 0 de 5');
    await starts.answer('1');
    assert.deepEqual(starts.asked, ['1', '2', '3', '4']);
    assert.deepEqual(numerosAt(run(), 'asked'), ['2', '3', '4']);
    assert.equal(text(), 'Levantando 1 de 5');
    for (const numero of ['2', '3', '4', '5']) await starts.answer(numero);
    assert.equal(isRunning(run()), false);
    assert.equal(text(), 'Se levantarán 5');
    assert.deepEqual(results(), ['1 ok', '2 ok', '3 ok', '4 ok', '5 ok']);
    assert.equal(notices.at(-1), 'positive: La sesión de 5 comenzará a levantarse');
  });

  it("replace each other's notices", async () => {
    const { store, starts } = await running();
    const keys = new Set<string | undefined>();
    store.notice.subscribe(() => keys.add(store.notice.get()?.replaceKey));
    await starts.answer('1');
    await starts.answer(new Error('no'));
    assert.equal(keys.size, 1);
    assert.notEqual([...keys][0], undefined);
  });

  it('report at the end which failed and why; those can be retried', async () => {
    const { starts, bulk, run, text, results, notices } = await running();
    await starts.answer(new Error('no queda memoria'));
    for (const numero of ['2', '3', '4', '5']) await starts.answer(numero);
    assert.equal(text(), 'Se levantarán 4; falló 1');
    assert.equal(results()[0], '1 no queda memoria');
    assert.equal(notices.at(-1), 'negative: Se levantarán 4; falló 1');
    bulk.retry(numerosAt(run(), 'failed'));
    await settled();
    assert.equal(text(), 'Levantando 4 de 5');
    await starts.answer('1');
    assert.deepEqual(results(), ['2 ok', '3 ok', '4 ok', '5 ok', '1 ok']);
    assert.equal(text(), 'Se levantarán 5');
  });

  it('can be retried one by one, and keep the other results', async () => {
    const { starts, bulk, run, text, results } = await running();
    for (const answer of [new Error('no'), new Error('no'), '3', '4', '5']) await starts.answer(answer);
    bulk.retry(['2']);
    await settled();
    assert.equal(isRunning(run()), true);
    await starts.answer('2');
    assert.deepEqual(results(), ['1 no', '3 ok', '4 ok', '5 ok', '2 ok']);
    assert.equal(text(), 'Se levantarán 4; falló 1');
  });

  it('that failed wait for their turn when they are retried during the run', async () => {
    const { starts, bulk, text, results } = await running();
    await starts.answer(new Error('no'));
    bulk.retry(['1']);
    await settled();
    assert.deepEqual(starts.asked, ['1', '2', '3', '4']);
    assert.equal(text(), 'Levantando 0 de 5');
    for (const numero of ['2', '3', '4', '5', '1']) await starts.answer(numero);
    assert.deepEqual(results(), ['2 ok', '3 ok', '4 ok', '5 ok', '1 ok']);
  });

  it('can be retried after a stop, whose pending answers do not end that', async () => {
    const { starts, bulk, run, text } = await running();
    await starts.answer(new Error('no'));
    bulk.stop();
    bulk.retry(['1']);
    await settled();
    for (const numero of ['2', '3', '4']) await starts.answer(numero);
    assert.equal(isRunning(run()), true);
    await starts.answer('1');
    assert.equal(text(), 'Se levantarán 4; sin empezar: 1');
    assert.deepEqual(starts.asked, ['1', '2', '3', '4', '1']);
  });

  it('can be stopped: none follows, and answers under way still count', async () => {
    const { starts, bulk, text, results } = await running();
    bulk.stop();
    assert.equal(text(), 'Se levantarán 0; sin respuesta todavía: 3; sin empezar: 2');
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.equal(text(), 'Se levantarán 3; sin empezar: 2');
    assert.deepEqual(results(), ['1 ok', '2 ok', '3 ok']);
    assert.equal(starts.asked.length, 3);
  });

  it('are aborted when the run is stopped and their answer is late', async () => {
    const { bulk, listener, text } = await running();
    listener.connection(true);
    await settled();
    pass(31);
    bulk.stop();
    await settled();
    assert.equal(text(), 'Se levantarán 0; fallaron 3; sin empezar: 2');
  });

  it('do not wait for one that is never answered; the next run counts only its own', async () => {
    const { starts, bulk, text, results, session } = await running();
    bulk.stop();
    bulk.dismiss();
    assert.equal(bulk.run.get(), undefined);
    bulk.start(['5']);
    await settled();
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.equal(text(), 'Levantando 0 de 1');
    assert.equal(session('1')?.state, 'AUTENTICANDO...');
    await starts.answer('5');
    assert.deepEqual(results(), ['5 ok']);
  });

  it('make one run at a time', async () => {
    const { starts, bulk, run } = await running();
    bulk.start(['5']);
    assert.equal(run().size, 5);
    assert.equal(starts.asked.length, 3);
  });

  it('skip sessions that were deleted meanwhile or are being deleted', async () => {
    const starts = held<string>();
    const deletions = held<string | undefined>();
    const { store } = await joined(numeros.map(down), { start: starts.call, delete: deletions.call });
    const bulk = createBulkStart(store);
    bulk.start(numeros);
    await settled();
    const deleted = store.delete('4');
    void store.delete('5');
    await settled();
    await deletions.answer(undefined);
    await deleted;
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.deepEqual(starts.asked, ['1', '2', '3']);
    const run = bulk.run.get();
    assert.equal(run && textOf(run), 'Se levantarán 3');
  });
});

describe('the selection', () => {
  it('notifies once of each change, and of nothing else', () => {
    const selection = createSelection(() => numeros);
    const seen: string[] = [];
    selection.selected.subscribe(() => seen.push([...selection.selected.get()].join('')));
    selection.toggle('1');
    selection.add(['1', '2', '3']);
    selection.toggle('2');
    selection.clear();
    selection.clear();
    assert.deepEqual(seen, ['1', '123', '13', '']);
  });

  it('ticks a range as it is shown, in both directions, like its other end', () => {
    let visible = ['3', '1', '5', '2'];
    const selection = createSelection(() => visible);
    const selected = () => [...selection.selected.get()].join('');
    selection.toggle('3', true);
    assert.equal(selected(), '3');
    selection.toggle('5', true);
    assert.equal(selected(), '315');
    selection.toggle('1', true);
    assert.equal(selected(), '3');
    // What was filtered out meanwhile begins no range.
    selection.toggle('5');
    visible = ['2', '4'];
    selection.toggle('4', true);
    assert.equal(selected(), '354');
    selection.clear();
    selection.toggle('2', true);
    assert.equal(selected(), '2');
  });

  it('drops sessions that are no longer listed', () => {
    const selection = createSelection(() => numeros);
    selection.add(['1', '2']);
    selection.keep(['2', '3']);
    assert.deepEqual([...selection.selected.get()], ['2']);
  });
});
