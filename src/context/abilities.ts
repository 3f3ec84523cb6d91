/** What the panel offers: what the user may do, and the server can. */
import type { Snapshot } from '../store/shared.ts';
import type { Permission } from '../wire.ts';

/** What the user may do, and what takes an extension of the server too. */
export type Ability = Permission | 'pairing' | 'link' | 'passkey';

/** The abilities that take the extension of their name, and the permission for each. */
const EXTENDED: Partial<Record<Ability, Permission>> = {
  label: 'label',
  unlink: 'unlink',
  pairing: 'codes',
  link: 'codes',
  proxy: 'proxy',
  passkey: 'codes',
};

/** Returns the function that says whether something is offered. A read-only panel offers nothing. */
export function abilitiesIn(
  { extensions, permissions, namedByHost }: Pick<Snapshot, 'extensions' | 'permissions' | 'namedByHost'>,
  readOnly: boolean,
): (ability: Ability) => boolean {
  return (ability) => {
    const permission = EXTENDED[ability];
    return (
      !readOnly &&
      (!permissions || permissions.has(permission ?? ability)) &&
      (!permission || extensions.has(ability)) &&
      // Names that the host page gives are not to be edited.
      !(ability === 'label' && namedByHost)
    );
  };
}
