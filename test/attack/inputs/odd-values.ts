import type { Random } from '../random.ts';
import { anyText } from './odd-texts.ts';

/** A property to set, with the source of its value, which is evaluated in the page. */
export interface OddValue {
  readonly kind: 'attribute' | 'property';
  readonly name: string;
  readonly source: string;
}

const ATTRIBUTES = [
  'api-base',
  'socket-origin',
  'credentials',
  'provider',
  'notification-timeout',
  'notification-position',
  'token',
  'style',
  'class',
  'hidden',
  'dir',
  'lang',
];
const PROPERTIES = [
  'apiBase',
  'socketOrigin',
  'credentials',
  'provider',
  'notificationTimeout',
  'notificationPosition',
  'token',
  'token',
  'token',
];

const URLS = [
  'http://',
  'https://[',
  'http://[::1]:99999',
  'ws://127.0.0.1:9',
  'http://127.0.0.1:1',
  'http://u:p@127.0.0.1:9/a?b#c',
  '//foreign.example',
  'blob:http://127.0.0.1/x',
  'data:text/html,x',
  'javascript:hacked()',
  'file:///etc/passwd',
  '/otra/api',
  '../..',
  '?',
  '#',
  'http://ñandú.example',
  `http://${'a'.repeat(7_990)}.example`,
  `http://${'é'.repeat(3_000)}`,
  `http://${'a.'.repeat(100_000)}`,
  `/${'a/'.repeat(100_000)}`,
];

/** Values of every type, and objects with side effects when they are read. */
const ANYTHING = [
  'undefined',
  'null',
  'NaN',
  '-0',
  '1e21',
  '-1',
  'Infinity',
  '1n',
  'true',
  '{}',
  '[]',
  '[[[]]]',
  'Symbol("x")',
  'Object.create(null)',
  '({ toString() { throw new Error("toString") } })',
  '({ get trim() { throw new Error("trim") } })',
  '({ trim: () => ({ toString: () => "x", toJSON: () => 1n }) })',
  '({ get then() { throw new Error("then") } })',
  'new Proxy({}, { get() { throw new Error("get") } })',
  'new Proxy(() => {}, { get() { throw new Error("get") }, apply() { throw new Error("apply") } })',
  'document.createElement("img")',
  'window',
  'new Date(NaN)',
  '"x".repeat(1e6)',
];

/** Token functions that fail or misbehave. */
const TOKENS = [
  '() => { throw new Error("no token") }',
  '() => { throw undefined }',
  '() => Promise.reject(new Error("no token"))',
  '() => Promise.reject()',
  '() => new Promise(() => {})',
  '() => new Promise((give) => setTimeout(give, 300, "late"))',
  'async () => ({})',
  'async () => 7',
  'async () => null',
  'async () => Symbol("x")',
  '() => ({ then() {} })',
  '() => ({ then(give) { give("a"); give("b"); throw new Error("then") } })',
  '() => "a\\r\\nX-Other: b"',
  '() => "ñ"',
  '() => "\\ud800"',
  '() => "x".repeat(100000)',
  '() => document.querySelector("whatsapp-operadores").remove()',
  '() => { document.querySelector("whatsapp-operadores").provider = Math.random(); return "x" }',
  '() => { document.querySelector("whatsapp-operadores").token = "y"; return "x" }',
  'class {}',
];

export function oddValue(random: Random): OddValue {
  const kind = random.pick(['attribute', 'property'] as const);
  const name = random.pick(kind === 'attribute' ? ATTRIBUTES : PROPERTIES);
  const isAddress = /^(api|socket)/.test(name);
  const text = JSON.stringify(isAddress && random.chance(0.7) ? random.pick(URLS) : anyText(random));
  if (kind === 'attribute') return { kind, name, source: text };
  if (name === 'token' && random.chance(0.6)) return { kind, name, source: random.pick(TOKENS) };
  return { kind, name, source: random.chance(0.5) ? random.pick(ANYTHING) : text };
}
