import { STATES, type WireListItem } from '../../../../src/wire.ts';
import { type Right, UNSEEN_CODE } from '../../../src/security/users.ts';
import type { Heard } from '../../support/gateway.ts';

/** Somebody with a token, as the access file describes them. */
export interface Person {
  readonly name: string;
  readonly may: readonly string[];
  readonly groups?: readonly string[];
  readonly numeros?: readonly string[];
}

/** The digits that all forms of a Mexican numero share. */
const digits = (numero: string) => numero.replace(/\D/g, '').slice(-10);

function has({ groups, numeros }: Person, numero: string, group: string | undefined): boolean {
  if (!groups && !numeros) return true;
  return Boolean(groups?.includes(group ?? '') || numeros?.some((own) => digits(own) === digits(numero)));
}

export const may = (person: Person, right: Right) => person.may.includes(right);

/** Returns a list as a person sees it. */
export function seenBy(person: Person, list: readonly WireListItem[]): WireListItem[] {
  return list.flatMap((item): WireListItem[] => {
    if (!has(person, item.numero, item.group)) return [];
    const { qrCode, ...rest } = item;
    if (may(person, 'codes') || qrCode === undefined) return [item];
    return [{ ...rest, state: UNSEEN_CODE }];
  });
}

export function numeroOf([name, payload]: Heard): string {
  const fields = Object(payload);
  return String(fields.numero ?? fields.remitente ?? name.split(':')[2]);
}

/**
 * Returns what a person's panel hears of what the panel of one who may do everything hears.
 *
 * @param groupOf returns the group of a numero
 */
export function heardBy(person: Person, all: readonly Heard[], groupOf: (numero: string) => string): Heard[] {
  if (!may(person, 'see')) return [];
  return all.flatMap((push): Heard[] => {
    const [name] = push;
    const numero = numeroOf(push);
    if (!has(person, numero, groupOf(numero))) return [];
    if (name === 'message:ack') return may(person, 'send') ? [push] : [];
    if (may(person, 'codes')) return [push];
    if (name.startsWith('session:code:')) return [];
    if (name.startsWith('session:qr:')) return [['session:change_state', { numero, state: UNSEEN_CODE }]];
    if (!name.startsWith('session:authenticated:')) return [push];
    return [push, ['session:change_state', { numero, state: STATES.authenticating }]];
  });
}
