import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Item, Notification } from '../../src/notify/notification.ts';
import { textOf } from '../../src/notify/text.ts';
import { HOUR, MINUTE, numeroOf } from './support/channel-lab.ts';

const NOW = Date.UTC(2020, 10, 24, 12);

function item(index: number, event: Item['event'], more: Partial<Item> = {}): Item {
  return { numero: numeroOf(index), event, state: 'DESCONECTADO', since: NOW - 5 * MINUTE, ...more };
}

function text(items: readonly Item[], { total = 60, more = 0 } = {}): string {
  const counts: Notification['counts'] = {};
  for (const { event } of items) counts[event] = (counts[event] ?? more) + 1;
  return textOf({ id: 'msg_1', at: NOW, total, counts, items: [...items] }, NOW);
}

describe('a notification in words', () => {
  it('names one number, for how long, and why', () => {
    const ventas = item(1, 'away', { name: 'Ventas Costa', reason: 'El servidor no llega a WhatsApp' });
    assert.equal(
      text([ventas]),
      'Ventas Costa (5215550000001) está caída desde hace 5 min. El servidor no llega a WhatsApp.',
    );
    assert.equal(text([item(2, 'back', { reason: 'De antes' })]), '5215550000002 vuelve a funcionar.');
  });

  it('has no mentions, links or code of the names', () => {
    const name =
      '<!channel> <https://evil.example|Vincular> [Vincular](https://evil.example) @all ```Pérez & Hijos [Sur]';
    assert.equal(
      text([item(2, 'back', { name })]),
      '‹!channel› ‹https：//evil.example|Vincular› [Vincular] (https：//evil.example) ＠all ´´´Pérez & Hijos [Sur] (5215550000002) vuelve a funcionar.',
    );
  });

  it('counts many of all, and names the first five', () => {
    const names = ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco', 'Seis', 'Siete'];
    const items = names.map((name, index) => item(index, 'away', { name }));
    assert.equal(
      text(items, { more: 16 }),
      '23 de 60 se cayeron: Uno (5215550000000), Dos (5215550000001), Tres (5215550000002), Cuatro (5215550000003), Cinco (5215550000004) y 18 más.',
    );
    assert.equal(text(items.slice(0, 2)), '2 de 60 se cayeron: Uno (5215550000000) y Dos (5215550000001).');
  });

  it('has a sentence for each thing that is the matter', () => {
    assert.equal(
      text([item(1, 'unlinked'), item(2, 'unlinked'), item(3, 'restricted')]),
      [
        '2 de 60 necesitan que las vinculen de nuevo: 5215550000001 y 5215550000002.',
        '5215550000003 tiene restricciones de WhatsApp.',
      ].join('\n'),
    );
  });

  it('tells how long something lasts, and no hour, which readers in other zones would misread', () => {
    const lasting = [0, MINUTE, 119 * MINUTE, 2 * HOUR, 47 * HOUR, 48 * HOUR, 700 * HOUR];
    assert.deepEqual(
      lasting.map((ms) => text([item(1, 'away', { since: NOW - ms })]).replace(/^\d+ está caída/, '')),
      [
        '.',
        ' desde hace 1 min.',
        ' desde hace 119 min.',
        ' desde hace 2 h.',
        ' desde hace 47 h.',
        ' desde hace 2 días.',
        ' desde hace 29 días.',
      ],
    );
    const banned = { reason: 'WhatsApp pidió esperar.', until: NOW + 8 * HOUR };
    assert.equal(
      text([item(1, 'blocked', banned)]),
      '5215550000001 necesita que alguien la atienda. WhatsApp pidió esperar. Termina dentro de 8 h.',
    );
    assert.match(text([item(1, 'blocked', { ...banned, until: NOW })]), /pidió esperar\.$/);
  });
});
