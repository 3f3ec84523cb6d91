import { sectionOf, sectionsOf } from '../../../src/session/groups.ts';
import { STATES, type WireListItem } from '../../../src/wire.ts';

/** From this part of the new chats that WhatsApp allows, other sessions send first. */
const NEAR = 0.9;

/** What a call wants of the list. */
interface Wanted {
  readonly able?: 'send' | undefined;
  /** Groups, separated by commas. */
  readonly group?: string | undefined;
}

/** Returns what a call wants of the list: of those that can send, the limited ones last. */
export function select(list: readonly WireListItem[], { able, group }: Wanted): WireListItem[] {
  const sections = group === undefined ? undefined : sectionsOf(group);
  const chosen = list.filter((item) => !sections || sections.has(sectionOf(item.group)));
  if (!able) return chosen;
  return chosen.filter(canSend).sort((one, other) => Number(isLimited(one)) - Number(isLimited(other)));
}

/** Whether messages from a session are passed on to its engine. */
export function canSend(session: WireListItem | undefined): boolean {
  return session?.state === STATES.connected;
}

/** Whether a session may not write to new contacts, or soon may not: a restriction that is over is not listed. */
function isLimited({ restricted, quota }: WireListItem): boolean {
  return restricted !== undefined || (quota !== undefined && quota.used >= NEAR * quota.total);
}
