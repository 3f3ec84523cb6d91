import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explain } from '../../src/session/advice.ts';
import { type Context, reduce, type SessionAction, type SessionRecord } from '../../src/session/record.ts';
import type { Session } from '../../src/session/session.ts';
import { badgeOf, remedyFor } from '../../src/session/states.ts';
import { t } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const down: Session = { numero, state: 'DESCONECTADO', waiting: false };
const withCode: Session = { numero, state: 'AUTENTICANDO...', qrCode: '2@1', waiting: false };

const NOTHING_ELSE: Context = {
  now: 0,
  entryId: 1,
  naming: undefined,
  group: '',
  areDetailsShown: true,
};

/** An action without its numero, and the second at which it is dispatched. */
type Timed = readonly [second: number, action: ActionOf<SessionAction>];
type ActionOf<Action> = Action extends unknown ? Omit<Action, 'numero' | 'at'> : never;

const listed = (session: Session | undefined, details = {}) =>
  ({ type: 'listed', description: session && { session, details } }) as const;

/** What follows from actions: each happens when it is dispatched. */
function after(...actions: readonly Timed[]): SessionRecord | undefined {
  let record: SessionRecord | undefined;
  for (const [second, action] of actions) {
    const at = second * 1000;
    const before = record;
    const dispatched = { ...action, numero, at } as SessionAction;
    record = reduce(freeze(before), dispatched, { ...NOTHING_ELSE, now: at });
  }
  return record;
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    for (const field of Object.values(Object.freeze(value))) freeze(field);
  return value;
}

/** What the operator sees of a session: the state, the badge, the next step, and the first words of the advice. */
const CASES: readonly [
  what: string,
  actions: readonly Timed[],
  sees: readonly [state: string, badge: string, remedy: string | undefined, advice: RegExp] | undefined,
][] = [
  ['the list', [[0, listed(connected)]], ['CONNECTED', 'nothing', undefined, /^Conectada/]],
  [
    'a list without it',
    [
      [0, listed(connected)],
      [1, listed(undefined)],
    ],
    undefined,
  ],
  ['a push about one that is not listed', [[0, { type: 'ready' }]], undefined],
  ['time alone where none is listed', [[0, { type: 'tick' }]], undefined],
  [
    'a push of its end',
    [
      [0, listed(connected)],
      [1, { type: 'disconnected' }],
    ],
    ['DESCONECTADO', 'act', 'start', /^Está desconectada/],
  ],
  [
    'a code',
    [
      [0, listed(down)],
      [1, { type: 'qr', qrCode: '2@1' }],
    ],
    ['AUTENTICANDO...', 'scan', 'code', /^Escanéalo/],
  ],
  [
    'a code whose time is over',
    [
      [0, listed(down)],
      [1, { type: 'qr', qrCode: '2@1' }],
      [64, { type: 'tick' }],
    ],
    ['AUTENTICANDO...', 'act', 'newCode', /^El código venció/],
  ],
  [
    'a code that the operator trusts',
    [
      [0, listed(down)],
      [1, { type: 'qr', qrCode: '2@1' }],
      [64, { type: 'codeTrusted' }],
    ],
    ['AUTENTICANDO...', 'scan', 'code', /^Escanéalo/],
  ],
  [
    'codes that nobody scanned',
    [
      [0, listed(withCode)],
      [60, { type: 'qr_timeout' }],
    ],
    ['DESCONECTADO', 'act', 'newCode', /^Nadie escaneó/],
  ],
  ['a start', [[0, { type: 'started' }]], ['AUTENTICANDO...', 'wait', undefined, /preparando el código/]],
  [
    'a start without a code for a minute',
    [
      [0, { type: 'started' }],
      [60, { type: 'tick' }],
    ],
    ['AUTENTICANDO...', 'act', 'start', /^El servidor no ha enviado/],
  ],
  [
    'a start that is not answered',
    [
      [0, listed(down)],
      [1, { type: 'startAsked' }],
      [31, { type: 'tick' }],
    ],
    ['DESCONECTADO', 'act', 'start', /^El servidor todavía no responde/],
  ],
  [
    'a start that was answered late',
    [
      [0, listed(down)],
      [1, { type: 'startAsked' }],
      [31, { type: 'tick' }],
      [32, { type: 'startAnswered' }],
    ],
    ['DESCONECTADO', 'act', 'start', /^Está desconectada/],
  ],
  [
    'a start that failed',
    [
      [0, listed(down)],
      [1, { type: 'failed', failure: { what: 'notStarted', message: 'No hay memoria' } }],
    ],
    ['DESCONECTADO', 'act', 'retry', /^No se pudo levantar: No hay memoria\. /],
  ],
  [
    'a start that went well after all',
    [
      [0, listed(down)],
      [1, { type: 'failed', failure: { what: 'notStarted', message: 'no' } }],
      [2, { type: 'startAnswered' }],
    ],
    ['DESCONECTADO', 'act', 'start', /^Está desconectada/],
  ],
  [
    'a deletion',
    [
      [0, listed(withCode)],
      [1, { type: 'closing' }],
    ],
    ['CERRANDO SESIÓN...', 'wait', undefined, /eliminando/],
  ],
  [
    'news during a deletion',
    [
      [0, listed(withCode)],
      [1, { type: 'closing' }],
      [2, { type: 'ready' }],
      [3, listed(down)],
    ],
    ['CERRANDO SESIÓN...', 'wait', undefined, /eliminando/],
  ],
  [
    'a deletion that failed, after news',
    [
      [0, listed(withCode)],
      [1, { type: 'closing' }],
      [2, { type: 'ready' }],
      [3, { type: 'reopened' }],
    ],
    ['CONNECTED', 'nothing', undefined, /^Conectada/],
  ],
  [
    'the failure of a deletion, where the session works as before',
    [
      [0, listed(connected)],
      [1, { type: 'closing' }],
      [2, { type: 'reopened' }],
      [2, { type: 'failed', failure: { what: 'notDeleted', message: 'no' } }],
    ],
    ['CONNECTED', 'nothing', 'delete', /^No se pudo eliminar/],
  ],
  [
    'the end of a deletion',
    [
      [0, listed(down)],
      [1, { type: 'closing' }],
      [2, { type: 'deleted' }],
    ],
    undefined,
  ],
  [
    'a state that the panel does not know',
    [
      [0, listed(connected)],
      [1, { type: 'change_state', state: 'HIBERNATING' }],
    ],
    ['HIBERNATING', 'unknown', 'start', /^Estado desconocido/],
  ],
  [
    "the server's reason",
    [[0, listed(down, { reason: { code: 'logged-out', text: 'WhatsApp cerró la sesión.' } })]],
    ['DESCONECTADO', 'act', 'start', /^WhatsApp cerró la sesión\.$/],
  ],
  [
    "the server's reason that nobody scanned",
    [[0, listed(down, { reason: { code: 'not-scanned', text: 'Nadie escaneó' } })]],
    ['DESCONECTADO', 'act', 'newCode', /^Nadie escaneó$/],
  ],
];

describe('what a session looks like after', () => {
  for (const [what, actions, expected] of CASES) {
    it(what, () => {
      const record = after(...actions);
      if (!expected || !record) return assert.equal(record, expected);
      const { session, status } = record;
      const [state, badge, remedy, advice] = expected;
      assert.deepEqual([session.state, badgeOf(session, status), remedyFor(record)], [state, badge, remedy]);
      assert.match(explain({ t, may: () => true }, record) ?? '', advice);
    });
  }
});

describe('a record', () => {
  const first = [0, listed(connected, { label: 'Ventas' })] as const;
  const same: readonly [what: string, action: Timed[1]][] = [
    ['the list repeats it', listed({ ...connected }, { label: 'Ventas' })],
    ['the server repeats its state', { type: 'change_state', state: 'CONNECTED' }],
    ['the server repeats its details', { type: 'details', change: { label: 'Ventas' } }],
    ['time passes', { type: 'tick' }],
    ['it has no code to trust', { type: 'codeTrusted' }],
    ['a start is answered that nobody asked for', { type: 'startAnswered' }],
    ['a message is acknowledged that it did not send', { type: 'ack', id: 'A1', status: 'read' }],
    [
      'a code to type comes for a session that is CONNECTED',
      { type: 'code', pairing: { code: 'ABCD1234', expires: 9 } },
    ],
  ];
  for (const [what, action] of same) {
    it(`is the same object when ${what}`, () => {
      const record = after(first);
      const dispatched = { ...action, numero, at: 1000 } as SessionAction;
      assert.equal(reduce(record, dispatched, { ...NOTHING_ELSE, now: 1000 }), record);
    });
  }

  it('has the names of the page where it gives some, and those of the server where it does not', () => {
    const record = after([0, listed(connected, { label: 'Ventas', group: 'Norte' })]);
    const configured = { type: 'configured', numero } as const;
    const named = reduce(record, configured, { ...NOTHING_ELSE, naming: { label: 'Recepción' } });
    assert.deepEqual(named?.details, { label: 'Recepción', group: 'Norte' });
    const hidden = reduce(named, configured, { ...NOTHING_ELSE, areDetailsShown: false });
    assert.deepEqual(hidden?.details, {});
    assert.deepEqual(reduce(hidden, configured, NOTHING_ELSE)?.details, { label: 'Ventas', group: 'Norte' });
  });

  it('counts the age of a code from when it was pushed, though the call that held it back took long', () => {
    const record = after([0, listed(down)]);
    const held = { type: 'qr', numero, qrCode: '2@1', at: 1000 } as const;
    const late = reduce(record, held, { ...NOTHING_ELSE, now: 70_000 });
    assert.equal(late?.status.codeLife, 'expired');
  });
});
