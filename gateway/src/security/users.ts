import { PERMISSIONS, STATES, type WireListItem } from '../../../src/wire.ts';
import { numeroKey } from '../numbers.ts';
import { normal } from '../sessions/naming.ts';

/** What users may do, each word for itself. */
export const RIGHTS = ['see', ...PERMISSIONS] as const;

export type Right = (typeof RIGHTS)[number];

/** The sessions of a user: those of groups, and single ones. */
interface Scope {
  /** An empty text stands for the sessions without a group. */
  readonly groups: ReadonlySet<string>;
  /** The keys of their numeros. */
  readonly numeros: ReadonlySet<string>;
}

/** A person or a system. */
export interface User {
  /** Undefined for those who share a token, or need none. */
  readonly name: string | undefined;
  readonly rights: ReadonlySet<Right>;
  /** Undefined for all sessions. */
  readonly scope: Scope | undefined;
}

/** A client with a valid token. */
export interface Admitted {
  readonly user: User;
  /** When the token ends, in milliseconds since 1970. */
  readonly until?: number;
}

/** Who may do everything. */
export const ANYBODY: User = { name: undefined, rights: new Set(RIGHTS), scope: undefined };

/** Who opens a link, as histories name them. */
export const VISITOR = { ...ANYBODY, name: 'quien abrió el enlace' } satisfies User;

/** Returns the sessions of these groups and numeros; undefined, which is all, where neither is given. */
export function scopeOf(
  groups: readonly string[] | undefined,
  numeros: readonly string[] | undefined,
): Scope | undefined {
  if (!groups && !numeros) return undefined;
  return { groups: new Set(groups?.map(normal)), numeros: new Set(numeros?.map(numeroKey)) };
}

/** Whether a user may do everything, with all sessions. */
export function isUnlimited({ rights, scope }: User): boolean {
  return scope === undefined && RIGHTS.every((right) => rights.has(right));
}

export function hasSession({ scope }: User, numero: string, group = ''): boolean {
  if (!scope || scope.groups.has(group)) return true;
  // Parsing a number takes longer than all the rest.
  return scope.numeros.size > 0 && scope.numeros.has(numeroKey(numero));
}

/**
 * Whether a user may use a right for a session that the user names, as far as that is one of the user's; one that is not
 * listed counts as one without a group.
 *
 * @param get returns a session by any form of its numero
 */
export function mayUse(
  user: User,
  right: Right,
  typed: string,
  get: (typed: string) => WireListItem | undefined,
): boolean {
  if (!user.scope) return true;
  const session = get(typed);
  if (!hasSession(user, typed, session?.group)) return false;
  // A start waits for a pending deletion, and adds the session again: without a group.
  const adds = right === 'start' && session?.state === STATES.closing;
  return !adds || hasSession(user, typed);
}

/**
 * Whether a user may put a session into a group: only into one of the user's, if those are limited. Otherwise users would
 * lose sessions, or give them to others.
 */
export function mayUseGroup({ scope }: User, group: string | null | undefined): boolean {
  return !scope || group === undefined || scope.groups.has(normal(group ?? ''));
}

/** The state of a session whose code a user may not see, and so can only wait. */
export const UNSEEN_CODE = 'POR ESCANEAR...';

/** Returns a session as it is for users who may not see codes, nor the steps of a passkey, which may have one. */
export function withoutCode(session: WireListItem): WireListItem {
  const { qrCode, passkey: _, ...rest } = session;
  return qrCode === undefined ? rest : { ...rest, state: UNSEEN_CODE };
}

/** Returns the sessions that a user sees, as the user sees them. */
export function seenBy(user: User, sessions: readonly WireListItem[]): readonly WireListItem[] {
  const own = user.scope ? sessions.filter(({ numero, group }) => hasSession(user, numero, group)) : sessions;
  return user.rights.has('codes') ? own : own.map(withoutCode);
}

const RIGHT_REFUSALS: Record<Right, string> = {
  see: 'ver las sesiones',
  codes: 'ver códigos ni enviar enlaces',
  start: 'levantar sesiones',
  send: 'enviar mensajes',
  label: 'cambiar nombres ni grupos',
  unlink: 'desvincular sesiones',
  delete: 'eliminar sesiones',
  proxy: 'cambiar el proxy',
};

export function rightRefusal(right: Right): string {
  return `No tienes permiso para ${RIGHT_REFUSALS[right]}.`;
}

/** The same whether the session exists or not: others do not learn which do. */
export function sessionRefusal(numero: string): string {
  return `No tienes permiso para la sesión de ${numero}.`;
}

export const GROUP_REFUSAL = 'No tienes permiso para ese grupo: solo puedes usar los tuyos.';

export const NOT_ALL = 'Solo para quien ve todas las sesiones.';

export const NOT_EVERYTHING = 'Solo para quien puede todo, en todas las sesiones.';
