import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSelection } from '../../src/context/panel-context.ts';
import { type Bulk, createBulk, isRunning, list, told } from '../../src/list/bulk.tsx';
import type { Session } from '../../src/session/session.ts';
import { held, joined, settled, stopTime } from './support.ts';

const numeros = ['1', '2', '3', '4', '5'];
const down = (numero: string): Session => ({ numero, state: 'DESCONECTADO', waiting: false });

stopTime();

const textOf = ({ store }: Pick<Awaited<ReturnType<typeof joined>>, 'store'>, bulk: Bulk) => {
  const run = bulk.run.get();
  return run && told(store.t, run).filter(Boolean).join(', ');
};

/** A run over five sessions, whose starts the test answers. */
async function running() {
  const starts = held<string>();
  const panel = await joined(numeros.map(down), { start: starts.call });
  const bulk = createBulk(panel.store);
  bulk.begin('start', numeros);
  await settled();
  return { ...panel, starts, bulk, text: () => textOf(panel, bulk) };
}

describe('many starts', () => {
  it('run three at a time', async () => {
    const { starts, bulk, text, notices } = await running();
    assert.deepEqual(starts.asked, ['1', '2', '3']);
    assert.equal(text(), 'Levantando 0 de 5');
    await starts.answer('1');
    assert.deepEqual(starts.asked, ['1', '2', '3', '4']);
    assert.equal(text(), 'Levantando 1 de 5');
    for (const numero of ['2', '3', '4', '5']) await starts.answer(numero);
    assert.equal(isRunning(bulk.run.get()), false);
    assert.equal(text(), 'Levantadas: 5 de 5');
    assert.equal(notices.at(-1), 'positive: La sesión de 5 comenzará a levantarse');
  });

  it('run where the page replaces Array.from by one without a second argument, as MooTools does', async () => {
    const { from } = Array;
    Array.from = (items: ArrayLike<unknown>) => Array.prototype.slice.call(items);
    const { starts } = await running().finally(() => {
      Array.from = from;
    });
    assert.deepEqual(starts.asked, ['1', '2', '3']);
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

  it('report at the end how many failed', async () => {
    const { starts, text, notices } = await running();
    await starts.answer(new Error('no queda memoria'));
    assert.equal(text(), 'Levantando 0 de 5, 1 falló');
    for (const numero of ['2', '3', '4', '5']) await starts.answer(numero);
    assert.equal(text(), 'Levantadas: 4 de 5, 1 falló');
    // In one place.
    assert.deepEqual(
      notices.filter((notice) => notice.includes('falló')),
      [],
    );
  });

  it('can be stopped: none follows, and answers under way still count', async () => {
    const { starts, bulk, text } = await running();
    bulk.stop();
    assert.equal(isRunning(bulk.run.get()), false);
    assert.equal(text(), 'Levantadas: 0 de 5, 5 pendientes');
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.equal(text(), 'Levantadas: 3 de 5, 2 pendientes');
    assert.equal(starts.asked.length, 3);
  });

  it('do not wait for one that is never answered; the next run counts only its own', async () => {
    const { starts, bulk, text, session } = await running();
    bulk.stop();
    bulk.dismiss();
    assert.equal(bulk.run.get(), undefined);
    bulk.begin('start', ['5']);
    await settled();
    for (const numero of ['1', '2', '3']) await starts.answer(numero);
    assert.equal(text(), 'Levantando 0 de 1');
    assert.equal(session('1')?.state, 'AUTENTICANDO...');
    await starts.answer('5');
    assert.equal(text(), 'Levantadas: 1 de 1');
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
    assert.equal(textOf({ store }, bulk), 'Levantadas: 3 de 3');
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
    assert.equal(textOf({ store }, bulk), 'Agrupadas: 1 de 2, 1 falló');
  });

  it('create a link for each', async () => {
    const { bulk, store } = await extended({
      createLink: async (numero) => ({
        id: numero,
        url: `https://server.example/l/#${numero}`,
        expires: Date.now() + 600_000,
      }),
    });
    bulk.begin('link', ['1', '2']);
    await settled();
    assert.equal(textOf({ store }, bulk), 'Enlaces creados: 2 de 2');
    assert.deepEqual(
      [...(bulk.run.get()?.results ?? [])],
      [
        ['1', 'https://server.example/l/#1'],
        ['2', 'https://server.example/l/#2'],
      ],
    );
  });
});

describe('the selection', () => {
  it('notifies once of each change', () => {
    const selection = createSelection();
    const seen: string[] = [];
    selection.selected.subscribe(() => seen.push([...selection.selected.get()].join('')));
    selection.toggle('1');
    selection.add(['1', '2', '3']);
    selection.toggle('2');
    selection.clear();
    assert.deepEqual(seen, ['1', '123', '13', '']);
  });
});

describe('a list to paste', () => {
  it('has a line for each row, whatever is in it', () => {
    const rows = [
      ['Ventas\tnorte', '1', 'https://server.example/l/#1'],
      ['dos\r\nlíneas\n', '2', ''],
    ];
    assert.equal(list(rows), 'Ventas norte\t1\thttps://server.example/l/#1\ndos líneas \t2\t');
  });

  const cells: readonly [text: string, cell: string][] = [
    ['=1+1', "'=1+1"],
    ['+5215550001111', "'+5215550001111"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=HYPERLINK("x")', `'=HYPERLINK("x")`],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    // A spreadsheet in Spain or Argentina separates cells by semicolons.
    ['uno;=1;-2', "uno;'=1;'-2"],
    ['uno; "=1"', `uno; "'=1"`],
    ['uno;＠x', "uno;'＠x"],
  ];
  for (const [text, cell] of cells) {
    it(`has no formula: ${JSON.stringify(text)}`, () => assert.equal(list([[text]]), cell));
  }

  it('leaves cells alone that only contain such signs', () => {
    const row = ['5215550001111', "'=1", 'a=b', '1-2', ' @', 'a, -b', 'una; dos', ''];
    assert.equal(list([row]), row.join('\t'));
  });
});
