/** What the state of a session means, in words. */
import { shorten } from '../server/fields.ts';
import { dateAndTime, isToday, time } from '../texts/moments.ts';
import * as texts from '../texts/sentences.ts';
import { clause, type Sentence, type Translate } from '../texts/translate.ts';
import type { Permission, WireLink, WireRestriction } from '../wire.ts';
import type { SessionRecord } from './record.ts';
import {
  type Condition,
  type Explained,
  type Failure,
  FINDINGS,
  permissionFor,
  remedyFor,
  type Status,
} from './states.ts';

type Sentences = Partial<Record<Condition, Sentence>>;

/** Each but those whose words the server has. */
const SENTENCES: Sentences = texts.conditions satisfies Record<
  Exclude<Explained, keyof typeof texts.outcomes>,
  Sentence
>;
const OUTCOMES: Sentences = texts.outcomes;
const TO_DO: Sentences = texts.toDo;

/** Says that a call has failed, and why, and what to do: in short, since a notice and the history have all of the reason. */
export const failed = (t: Translate, { what, message }: Failure): string =>
  `${t(texts.happened[what], shorten(message, 99))}. ${t(texts.tryAgain)}`;

/** What the advice depends on beside the session: who may not act is not told to. */
interface Reader {
  readonly t: Translate;
  /** Undefined where everything is allowed, and nobody acts: the bundle for hosts then leaves out what is said of actions. */
  readonly may: ((permission: Permission) => boolean) | undefined;
}

/**
 * One line on what a session asks of the operator; undefined where the state text says it, or nobody knows. The server's
 * words win: why it is not connected, or what it may not do.
 */
export function explain({ t, may }: Reader, record: Explainable): string | undefined {
  const { status, details } = record;
  const { condition, asks } = status;
  // Without `?.`, Rollup can tell that a host's reading has none: src/states.ts.
  if (record.failure && record.failure.what === condition) return failed(t, record.failure);
  const remedy = may && remedyFor(record);
  const canAct = !may || !remedy || may(permissionFor(remedy));
  if (may && OUTCOMES[condition])
    return joined(t, OUTCOMES[condition], condition === 'notSending' && canAct && texts.startAgain);
  const told: WireRestriction | false | undefined =
    condition === 'restricted' || condition === 'passkey'
      ? details[condition]
      : asks !== 'nothing' && !(condition in FINDINGS) && details.reason;
  if (told) return told.until ? t(texts.until, clause(told.text), dateAndTime(t, told.until)) : told.text;
  const what = canAct || condition !== 'code' ? SENTENCES[condition] : texts.unscanned;
  return joined(t, what, canAct && TO_DO[condition]);
}

const joined = (t: Translate, what: Sentence | undefined, next: Sentence | false | undefined) =>
  what && (next ? `${t(what)} ${t(next)}` : t(what));

interface Explainable extends Pick<SessionRecord, 'details' | 'failure'> {
  readonly status: Pick<Status, 'condition' | 'asks'>;
}

/** A text, and the class of its look where it has one. */
type Line = readonly [text: string | undefined, look?: string | undefined];

/** Since when a session is down, what its state means, who caused it, and whether a link for its phone is valid. */
export function adviceOn(reader: Reader, record: SessionRecord): readonly Line[] {
  const { t } = reader;
  const { droppedAt, condition } = record.status;
  const { link, by } = record.details;
  const explained = explain(reader, record) ?? '';
  // A deletion that is under way is somebody else's, and a reason may begin with who it was.
  const isTold = !by || record.beforeDeletion || explained.startsWith(by);
  const lines: readonly Line[] = [
    [droppedAt === undefined ? undefined : droppedSince(t, droppedAt), 'dropped'],
    [
      isTold ? explained : [clause(explained), t(texts.by, by)].filter(Boolean).join(' · '),
      record.failure || condition === 'restricted' ? 'failure' : undefined,
    ],
    [link && linkNote(t, link)],
  ];
  return lines.filter(([text]) => text);
}

function droppedSince(t: Translate, moment: number): string {
  return isToday(moment) ? t(texts.dropped, time(t, moment)) : t(texts.droppedOn, dateAndTime(t, moment));
}

/** What has become of a link; undefined once it has expired. */
export function linkNote(t: Translate, { expires, opened }: WireLink): string | undefined {
  if (expires <= Date.now()) return undefined;
  return t(opened ? texts.linkOpened : texts.linkOut, time(t, opened ?? expires));
}
