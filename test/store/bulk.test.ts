import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSelection } from '../../src/card/selection.ts';
import { createBulk } from '../../src/list/bulk-run.ts';
import type { Session } from '../../src/session/session.ts';
import { held, joined, pass, settled, stopTime } from './support.ts';

const numeros = ['1', '2', '3', '4', '5'];
const down = (numero: string): Session => ({ numero, state: 'DESCONECTADO', waiting: false });

stopTime();

/** A run over five sessions, whose starts the test answers. */
async function running() {
  const starts = held<string>();
  const panel = await joined(numeros.map(down), { start: starts.call });
  const bulk = createBulk(panel.store);
  bulk.begin('start', numeros);
  await settled();
  return {
    ...panel,
    starts,
    bulk,
    text: bulk.text,
    failed: () => bulk.inStage('failed'),
    /** Those that failed, and those that were started, in the order of the answers. */
    results: () => [
      ...bulk.inStage('failed').map((numero) => `${numero} ${bulk.run.get().steps.get(numero)?.result}`),
      ...bulk.inStage('done').map((numero) => `${numero} ok`),
    ],
  };
}

describe('many starts', () => {
  it('run three at a time; results are in the order of the answers', async () => {
    const { starts, bulk, text, results, notices } = await running();
    assert.deepEqual(starts.asked, ['1', '2', '3']);
    assert.equal(text(), 'Levantando 0 de 5');
    await starts.answer('1');
    assert.deepEqual(starts.asked, ['1', '2', '3', '4']);
    assert.deepEqual(bulk.inStage('asked'), ['2', '3', '4']);
    assert.equal(text(), 'Levantando 1 de 5');
    for (const numero of ['2', '3', '4', '5']) await starts.answer(numero);
    assert.equal(bulk.isRunning(), false);
    assert.equal(text(), '0 conectadas; todavía no: 5');
    assert.deepEqual(results(), ['1 ok', '2 ok', '3 ok', '4 ok', '5 ok']);
    assert.equal(notices.at(-1), 'positive: La sesión de 5 comenzará a levantarse');
  });

  it("replace each other's notices", async () => {
    const { store, starts } = await running();
    const keys = new Set<string | undefined>();
    store.notices.subscribe(() => keys.add(store.notices.get().at(-1)?.replaceKey));
    await starts.answer('1');
    await starts.answer(new Error('no'));
    assert.equal(keys.size, 1);
    assert.notEqual([...keys][0], undefined);
  });

  it('report at the end which failed and why; those can be retried', async () => {
    const { starts, bulk, failed, text, results, notices } = await running();
    await starts.answer(new Error('no queda memoria'));
    for (const numero of ['2', '3', '4', '5']) await starts.answer(numero);
    assert.equal(text(), '0 conectadas; todavía no: 4; falló 1');
    assert.equal(results()[0], '1 Error: no queda memoria');
    assert.equal(notices.at(-1), 'negative: 0 conectadas; todavía no: 4; falló 1');
    bulk.retry(failed());
    await settled();
    assert.equal(text(), 'Levantando 4 de 5');
    await starts.answer('1');
    assert.deepEqual(results(), ['2 ok', '3 ok', '4 ok', '5 ok', '1 ok']);
    assert.equal(text(), '0 conectadas; todavía no: 5');
  });

  it('can be retried one by one, and keep the other results', async () => {
    const { starts, bulk, text, results } = await running();
    for (const answer of [new Error('no'), new Error('no'), '3', '4', '5']) await starts.answer(answer);
    bulk.retry(['2']);
    await settled();
    assert.equal(bulk.isRunning(), true);
    await starts.answer('2');
    assert.deepEqual(results(), ['1 Error: no', '3 ok', '4 ok', '5 ok', '2 ok']);
    assert.equal(text(), '0 conectadas; todavía no: 4; falló 1');
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
    const { starts, bulk, text } = await running();
    await starts.answer(new Error('no'));
    bulk.stop();
    bulk.retry(['1']);
    await settled();
    for (const numero of ['2', '3', '4']) await starts.answer(numero);
    assert.equal(bulk.isRunning(), true);
    await starts.answer('1');
    assert.equal(text(), '0 conectadas; todavía no: 4; sin empezar: 1');
    assert.deepEqual(starts.asked, ['1', '2', '3', '4', '1']);
  });

  it('can be stopped: none follows, and answers under way still count', async () => {
    const { starts, bulk, text, results } = await running();
    bulk.stop();
    assert.equal(text(), '0 conectadas; sin respuesta todavía: 3; sin empezar: 2');
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.equal(text(), '0 conectadas; todavía no: 3; sin empezar: 2');
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
    assert.equal(text(), '0 conectadas; fallaron 3; sin empezar: 2');
  });

  it('do not wait for one that is never answered; the next run counts only its own', async () => {
    const { starts, bulk, text, results, session } = await running();
    bulk.stop();
    bulk.dismiss();
    assert.equal(bulk.run.get().steps.size, 0);
    bulk.begin('start', ['5']);
    await settled();
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.equal(text(), 'Levantando 0 de 1');
    assert.equal(session('1')?.state, 'AUTENTICANDO...');
    await starts.answer('5');
    assert.deepEqual(results(), ['5 ok']);
  });

  it('make one run at a time', async () => {
    const { starts, bulk, text } = await running();
    bulk.begin('start', ['5']);
    assert.equal(text(), 'Levantando 0 de 5');
    assert.equal(starts.asked.length, 3);
  });

  it('skip sessions that were deleted meanwhile or are being deleted', async () => {
    const starts = held<string>();
    const deletions = held<string | undefined>();
    const { store } = await joined(numeros.map(down), { start: starts.call, delete: deletions.call });
    const bulk = createBulk(store);
    bulk.begin('start', numeros);
    await settled();
    const deleted = store.delete('4');
    void store.delete('5');
    await settled();
    await deletions.answer(undefined);
    await deleted;
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.deepEqual(starts.asked, ['1', '2', '3']);
    assert.equal(bulk.text(), '0 conectadas; todavía no: 3');
  });
});

describe('what became of many starts', () => {
  it('is told live: which are connected, and which are not yet', async () => {
    const { starts, listener, text, bulk } = await running();
    for (const numero of numeros) await starts.answer(numero);
    bulk.follow();
    let times = 0;
    bulk.run.subscribe(() => {
      times += 1;
    });
    for (const numero of ['2', '4']) listener.push({ type: 'ready', numero });
    assert.equal(times, 2);
    assert.equal(text(), '2 conectadas; todavía no: 3');
    assert.deepEqual(bulk.inStage('connected'), ['2', '4']);
    listener.push({ type: 'change_state', numero: '4', state: 'CONFLICT' });
    assert.equal(text(), '1 conectada; todavía no: 4');
  });

  it('leaves out those that were deleted since', async () => {
    const { starts, store, text, bulk } = await running();
    for (const numero of numeros) await starts.answer(numero);
    bulk.follow();
    let times = 0;
    bulk.run.subscribe(() => {
      times += 1;
    });
    await store.delete('3');
    assert.ok(times > 0);
    assert.equal(text(), '0 conectadas; todavía no: 4');
  });
});

describe('other runs over many sessions', () => {
  async function extended(calls: Parameters<typeof joined>[1]) {
    const panel = await joined(numeros.map(down), calls);
    panel.listener.extensions(new Set(['label', 'link', 'details']));
    return { ...panel, bulk: createBulk(panel.store) };
  }

  it('put each into a group, and keep its name', async () => {
    const named: unknown[] = [];
    const { bulk, store } = await extended({
      rename: async (numero, naming) => {
        named.push([numero, naming]);
        if (numero === '2') throw new Error('no');
        return naming;
      },
    });
    bulk.begin('label', ['1', '2'], 'Norte');
    await settled();
    assert.deepEqual(named, [
      ['1', { group: 'Norte' }],
      ['2', { group: 'Norte' }],
    ]);
    assert.equal(store.get('1')?.details.group, 'Norte');
    assert.equal(bulk.text(), '1 agrupada; falló 1');
  });

  it('create a link for each', async () => {
    const { bulk } = await extended({
      createLink: async (numero) => ({
        id: numero,
        url: `https://server.example/l/#${numero}`,
        expires: Date.now() + 600_000,
      }),
    });
    bulk.begin('link', ['1', '2']);
    await settled();
    assert.equal(bulk.text(), '2 enlaces');
    assert.deepEqual(
      bulk.inStage('done').map((numero) => bulk.run.get().steps.get(numero)?.result),
      ['https://server.example/l/#1', 'https://server.example/l/#2'],
    );
  });
});

describe('the selection', () => {
  it('notifies once of each change', () => {
    const selection = createSelection(() => numeros);
    const seen: string[] = [];
    selection.selected.subscribe(() => seen.push([...selection.selected.get()].join('')));
    selection.toggle('1');
    selection.add(['1', '2', '3']);
    selection.toggle('2');
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
});
