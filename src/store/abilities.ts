import type { Permission } from '../wire.ts';
import type { Snapshot } from './shared.ts';

/** What may be offered: what takes the permission of its name, and what takes that for codes. */
export type Ability = Permission | 'pairing' | 'link' | 'passkey';

const OF_CODES: readonly Ability[] = ['pairing', 'link', 'passkey'];

/** What every server has: the rest takes the extension of its name. */
const OF_CONTRACT: readonly Ability[] = ['codes', 'start', 'send', 'delete'];

/** Returns the function that says whether something is offered. A read-only panel offers nothing. */
export function abilitiesIn(
  { extensions, permissions, namedByHost }: Pick<Snapshot, 'extensions' | 'permissions' | 'namedByHost'>,
  readOnly: boolean,
) {
  return (ability: Ability): boolean =>
    !readOnly &&
    (!permissions || permissions.has(OF_CODES.includes(ability) ? 'codes' : ability)) &&
    (OF_CONTRACT.includes(ability) || extensions.has(ability)) &&
    // Names that the host page gives are not to be edited.
    !(ability === 'label' && namedByHost);
}
