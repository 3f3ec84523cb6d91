import type { Permission } from '../wire.ts';

/** The abilities that take the extension of their name, and the permission for each. */
export const EXTENDED = {
  label: 'label',
  proxy: 'proxy',
  unlink: 'unlink',
  pairing: 'codes',
  link: 'codes',
  passkey: 'codes',
} as const satisfies Record<string, Permission>;

/** What may be offered: what takes an extension, and what takes the permission of its name alone. */
export type Ability = Permission | keyof typeof EXTENDED;
