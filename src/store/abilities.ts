import type { Extension, Permission } from '../wire.ts';

/** A permission, and an extension where it takes one. */
export type Needs = readonly [permission: Permission, extension?: Extension];

/** What may be offered, and what it needs. */
export const ABILITIES = {
  codes: ['codes'],
  start: ['start'],
  send: ['send'],
  delete: ['delete'],
  label: ['label', 'label'],
  proxy: ['proxy', 'proxy'],
  unlink: ['unlink', 'unlink'],
  pairing: ['codes', 'pairing'],
  link: ['codes', 'link'],
  passkey: ['codes', 'passkey'],
} as const satisfies Record<string, Needs>;

export type Ability = keyof typeof ABILITIES;
