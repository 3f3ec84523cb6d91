import type { Random } from '../random.ts';

/** Longest text to fill in at once, in characters. */
const HUGE = 100_000;

/** Texts that a browser would take for markup: they load something or run `hacked()`. */
const MARKUP = [
  '<img src="https://foreign.example/x" onerror="hacked()">',
  '<script>hacked()</script>',
  '"><svg onload=hacked()>',
  '<iframe srcdoc="<script>parent.hacked()</script>"></iframe>',
  'javascript:hacked()',
  '<a href="javascript:hacked()" autofocus onfocus=hacked()>x</a>',
  '<style>@import "https://foreign.example/x";*{display:none}</style>',
  '</title></textarea><b>x</b>',
  '{{hacked()}} `hacked()`',
  '&lt;b&gt; &amp; &#0;',
];

const SCRIPTS = [
  'שלום ٠١٢٣٤ مرحبا',
  '\u202e5215550001111\u202c',
  '\u2066\u2067\u2068',
  '\u200b\u200c\u200d\ufeff\u2060',
  '5\u200b4\u200b9\u200b11\u200b5555\u200b0001',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '\ud83d',
  '\ude00abc\ud83d',
  'e\u0301'.repeat(50),
  `a${'\u0334\u0335\u0336'.repeat(200)}`,
  '\u2028\u2029\u0085',
  'ﷺ'.repeat(30),
  'İıſK',
];

const NUMBERS = [
  '５２１５５５０００１１１１',
  '٥٢١٥٥٥٠٠٠١١١١',
  '+52 1 555 000 1111',
  '+54 (0)9 11-5555.0001',
  '0054 9 11 5555 0001',
  '-5215550001111',
  '5.215e12',
  '1e308',
  '0x1234567890',
  'NaN',
  'Infinity',
  '12345678901234567890123',
  '9007199254740993',
  '0000000000',
  '5215550001111',
  '521555000111१',
  '5215550001111@s.whatsapp.net',
  '/../../../..',
  '..........',
  '..',
  '?a=b#c%00%2f',
  '__proto__',
  'constructor',
];

function anyCharacters(random: Random, length: number): string {
  const ranges = [0x20, 0x80, 0x300, 0x2100, 0xe000, 0x10000];
  return Array.from({ length }, () => String.fromCharCode(random.integer(0, random.pick(ranges) - 1))).join(
    '',
  );
}

/** Returns a text that somebody can type or paste, or that a server can send. */
export function anyText(random: Random): string {
  const kinds: (() => string)[] = [
    () => random.pick(MARKUP),
    () => random.pick(SCRIPTS),
    () => random.pick(SCRIPTS),
    () => random.pick(NUMBERS),
    () => random.pick(NUMBERS),
    () => random.pick(['', ' ', '\n', '\t\r\n', '\0', '\x07\x1b[31m\x7f', 'a\nb\r\nc']),
    () => anyCharacters(random, random.integer(1, 40)),
    () => anyText(random) + anyText(random),
    () => anyText(random).padEnd(random.integer(10, 16), '7'),
  ];
  if (random.chance(0.05))
    return random.pick(['x', '7', '\ud83d\ude00', '<b>', ' ', '\u202e']).repeat(HUGE / 3);
  return random.pick(kinds)();
}
