import { NUMERO_EVENTS, STATES } from '../../../src/wire.ts';
import type { Random } from '../random.ts';
import { anyText } from './odd-texts.ts';

/** Values of a numero, valid or not. */
function anyNumero(random: Random): unknown {
  return random.pick<unknown>([null, '', {}, [], true, -1, 1e21, 0, ...several(3, () => anyText(random))]);
}

function several<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/** Codes that can be drawn, and codes that are too long to be drawn (ISO/IEC 18004: 1273 bytes at level H). */
export function anyCode(random: Random): unknown {
  return random.pick<unknown>([
    `2@${'A'.repeat(238)}`,
    'x'.repeat(random.integer(1200, 1300)),
    '9'.repeat(random.integer(3000, 3100)),
    'A'.repeat(50_000),
    '\ud83d',
    '2@\ude00',
    '\0',
    anyText(random),
    null,
    7,
    {},
  ]);
}

function anySession(random: Random, numero: unknown): object {
  const states: unknown[] = [...Object.values(STATES), null, 5, {}, 'constructor', anyText(random)];
  return {
    numero,
    state: random.pick(states),
    qrCode: random.chance(0.4) ? anyCode(random) : undefined,
    waiting: random.pick<unknown>([true, false, 'true', 1, null]),
  };
}

/** Returns a list with these numeros, and with others that may be invalid. */
export function anyList(random: Random, numeros: readonly string[]): unknown[] {
  const list: unknown[] = numeros.map((numero) => anySession(random, numero));
  const more = random.integer(0, 12);
  for (let count = 0; count < more; count += 1) {
    const odd = random.pick<unknown>([null, 5, 'x', [], [[]]]);
    const item = random.chance(0.1) ? odd : anySession(random, anyNumero(random));
    list.splice(random.integer(0, list.length), 0, item);
  }
  return list;
}

/** Returns the numeros that a panel takes from a list: each once, as text, without invalid ones. */
export function numerosOf(list: readonly unknown[]): string[] {
  const numeros = list.flatMap((item) => {
    const numero: unknown = item instanceof Object && 'numero' in item ? item.numero : undefined;
    const isText = typeof numero === 'string' && numero !== '' && numero.length <= 2_000;
    const sound = isText || typeof numero === 'number';
    return sound ? String(numero) : [];
  });
  return [...new Set(numeros)];
}

/** Returns a push about one of these numeros, or none of them; no code, since the panel learns codes' lifetimes. */
export function anyPush(random: Random, numeros: readonly string[]): [name: string, ...payload: unknown[]] {
  const numero = random.pick([...numeros, anyText(random)]);
  if (random.chance(0.4)) {
    const payload = [{ numero, state: anyText(random) }, numero, null, anyText(random), { numero }];
    return ['session:change_state', random.pick<unknown>(payload), anyText(random)];
  }
  const event = random.pick(NUMERO_EVENTS.filter((name) => name !== 'qr'));
  return [`session:${event}:${numero}`, anyText(random)];
}

/** Returns many pushes at once, each of a kind that changes all sessions, or of a size that no server needs. */
export function anyFlood(random: Random, numeros: readonly string[]): [name: string, payload: unknown][] {
  const long = 'palabra '.repeat(100_000);
  const kinds: ((numero: string, index: number) => [string, unknown])[] = [
    (_, index) => ['server:extensions', { extensions: index % 2 ? ['details', 'presence', 'label'] : [] }],
    (numero) => [`session:authenticated:${numero}`, null],
    (numero, index) => ['session:change_state', { numero, state: `S${index}` }],
    (numero, index) => [index % 2 ? 'session:created' : 'session:deleted', { numero: `1${numero}` }],
    (numero, index) => [`session:details:${numero}`, { label: `L${index}`, group: `G${index}` }],
  ];
  const kind = random.pick(kinds);
  const flood = Array.from({ length: 5_000 }, (_, index) => kind(random.pick(numeros), index));
  const numero = random.pick(numeros);
  return [
    ['server:extensions', { extensions: ['details', 'presence'] }],
    ...flood,
    ['session:change_state', { numero, state: long }],
    [`session:details:${numero}`, { label: long, group: long, reason: { code: long, text: long } }],
    [`session:deleted`, { numero: `1${numero}` }],
    ['server:extensions', { extensions: [] }],
  ];
}
