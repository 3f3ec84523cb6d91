import { Type } from 'typebox';

/*
 * What panels and other gateways receive of a session, and what they send of a passkey. The compiler checks these schemas against the types that the
 * panel shares with the gateway (`src/wire.ts`), where both are used.
 */

/** The fields that the extension `details` adds to an item of the list. */
export const Details = Type.Object(
  {
    name: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
    group: Type.Optional(Type.String()),
    since: Type.Optional(Type.Number()),
    reason: Type.Optional(
      Type.Object({ code: Type.String(), text: Type.String(), until: Type.Optional(Type.Number()) }),
    ),
    codeExpires: Type.Optional(Type.Number()),
    link: Type.Optional(
      Type.Object({ id: Type.String(), expires: Type.Number(), opened: Type.Optional(Type.Number()) }),
    ),
    restricted: Type.Optional(Type.Object({ text: Type.String(), until: Type.Optional(Type.Number()) })),
    quota: Type.Optional(Type.Object({ used: Type.Number(), total: Type.Number() })),
    lastSignal: Type.Optional(Type.Number()),
    stability: Type.Optional(Type.Object({ days: Type.Number(), drops: Type.Number(), away: Type.Number() })),
    by: Type.Optional(Type.String()),
    proxy: Type.Optional(Type.String()),
    exit: Type.Optional(Type.String()),
  },
  { description: 'All details of the session' },
);

/** What the list, and a row of another gateway, has beside state and code. */
export const Listed = Type.Object({
  ...Details.properties,
  passkey: Type.Optional(Type.Object({ step: Type.String(), text: Type.String() })),
});

/** One item of the list. */
export const Session = Type.Object({
  numero: Type.String(),
  state: Type.String(),
  qrCode: Type.Optional(Type.String()),
  waiting: Type.Boolean(),
  ...Listed.properties,
});

/** An entry of a history, as it is also stored. */
export const HistoryEntry = Type.Object({
  at: Type.Number(),
  event: Type.String(),
  state: Type.String(),
  detail: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  by: Type.Optional(Type.String()),
});

export const Pairing = Type.Object(
  { code: Type.String(), expires: Type.Number() },
  { description: 'The code, and when it expires' },
);

/** Longest text of an assertion, in characters: those of real ones have some hundred. */
/** In base64url, or base64. */
const Signed = Type.String({ maxLength: 8_192, pattern: '^[\\w+/-]{2,}={0,2}$' });

/** The signature of a passkey (https://www.w3.org/TR/webauthn-3/#dictdef-authenticationresponsejson). */
export const Assertion = Type.Object({
  id: Signed,
  rawId: Signed,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Signed,
    authenticatorData: Signed,
    signature: Signed,
    userHandle: Type.Optional(Type.Union([Signed, Type.Null()])),
  }),
});
