/** What a session asks, for a page's or a server's own code: as the panel reads it, without React or a document. */

import { keepIfEqual } from './observable.ts';
import { createReader } from './server/read.ts';
import { explain } from './session/advice.ts';
import { codeAfter } from './session/record.ts';
import { afterPush, keepDetails } from './session/session.ts';
import {
  type Asks,
  CONDITIONS,
  conditionOf,
  isDropped,
  type Severity,
  severityOf,
} from './session/states.ts';
import { createTranslate, type Texts } from './texts/translate.ts';
import type { WireListItem } from './wire.ts';

export type { Asks, Severity, Texts };

/** An item of `GET /session/sessions`, as the server sends it. */
export type SessionItem = Readonly<WireListItem>;

export interface Reading {
  /** What a person has to do about it. */
  readonly asks: Asks;
  /** `ok` where that is nothing, `waiting` where it passes by itself, otherwise `attention`. */
  readonly severity: Severity;
  /** Whether it lost its connection although no operator asked for that: by the code of its `reason`. */
  readonly dropped: boolean;
  /** The line that the panel has for it; undefined where the text of the state says it all. */
  readonly advice: string | undefined;
}

export interface ReadingOptions {
  /** Sentences instead of the panel's, as in the element's property `texts`. By default the panel's, in Spanish. */
  readonly texts?: Texts | undefined;
  /** When it is read, in milliseconds since 1970, by the server's clock; by default now, by this machine's. */
  readonly now?: number | undefined;
}

const reader = createReader(
  () => undefined,
  () => 0,
);

/**
 * Returns what an item of the list asks, as a panel that has just opened says it. Fields of another type count as absent; what
 * is no item at all is `unknown`.
 *
 * @throws {RangeError} where the language of the texts, `es`, is no BCP 47 tag
 */
export function readState(item: unknown, { texts, now = Date.now() }: ReadingOptions = {}): Reading {
  const { session, details } = reader.item('', item);
  const shown = { session, details, since: now, cause: 'listed' } as const;
  const code = codeAfter(undefined, shown);
  const condition = conditionOf({ ...shown, code }, now);
  const { asks } = CONDITIONS[condition];
  return {
    asks,
    severity: severityOf(asks),
    dropped: isDropped(shown),
    // Said outright, so that Rollup leaves out what the panel says of the operator's actions.
    advice: explain(
      { t: createTranslate(texts), may: undefined },
      { status: { condition, asks }, details, failure: undefined },
    ),
  };
}

/**
 * Returns the item after a push of the server: the same object where the push is about another session, changes nothing, or
 * is none; undefined once the session is deleted. Fields that it no longer has are undefined.
 *
 * @param item - undefined for a session that is not listed: only `session:created` makes an item of it
 * @param event - the name of the push, such as `session:ready:5215550001111`
 * @param args - what the server sent with it
 */
export function applyPush(
  item: SessionItem | undefined,
  event: string,
  ...args: unknown[]
): SessionItem | undefined {
  const push = reader.push(String(event), args);
  const known = reader.session(item);
  if (!push || (item && push.numero !== known?.session.numero)) return item;
  const after = afterPush(known, push);
  if (!after) return undefined;
  const { numero, ...session } = after.session;
  const isSame =
    known &&
    keepIfEqual(known.session, after.session) === known.session &&
    keepDetails(known.details, after.details) === known.details;
  if (isSame) return item;
  const others = push.type === 'created' ? undefined : item;
  return { numero, ...others, qrCode: undefined, ...session, ...after.details };
}
