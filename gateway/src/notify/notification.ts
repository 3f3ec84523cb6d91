import { type Static, Type } from 'typebox';
import { INCIDENTS } from './incidents.ts';

/** What is told of a number: what is the matter with it, or that this is over. */
export const EVENTS = [...INCIDENTS, 'back'] as const;

export type NotifiedEvent = (typeof EVENTS)[number];

/** What is told of one number. Times are in milliseconds since 1970. */
export const Item = Type.Object({
  numero: Type.String(),
  event: Type.Enum([...EVENTS]),
  /** The operators' name, or else the account's. */
  name: Type.Optional(Type.String()),
  group: Type.Optional(Type.String()),
  state: Type.String(),
  /** Why, as panels show it, without a full stop. */
  reason: Type.Optional(Type.String()),
  /** When that ends, where it is known. */
  until: Type.Optional(Type.Number()),
  since: Type.Number(),
});

export type Item = Static<typeof Item>;

/** What is told at once. */
export const Notification = Type.Object({
  /** The same in every attempt to deliver it. */
  id: Type.String(),
  at: Type.Number(),
  /** How many sessions there are. */
  total: Type.Number(),
  /** How many have each event, if any. */
  counts: Type.Partial(Type.Record(Type.Enum([...EVENTS]), Type.Number())),
  /** The first of them. */
  items: Type.Array(Item),
});

export type Notification = Static<typeof Notification>;
