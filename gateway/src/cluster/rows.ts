import { Compile } from 'typebox/compile';
import type { WireDetails, WireListItem } from '../../../src/wire.ts';
import { Details } from '../http/schemas.ts';
import { detailsOf } from '../sessions/details.ts';

/** What panels see of a row of the table `session`. */
export interface SessionRow {
  readonly numero: string;
  readonly state: string;
  readonly qr: string | null;
  readonly waiting: boolean;
  /** As gateways write it; somebody may have stored other JSON by hand. */
  readonly details: unknown;
  readonly place: string;
  readonly version: string;
}

/** Where a row is in the list, and how often it has changed. */
export interface RowVersion {
  readonly place: number;
  readonly version: number;
}

const form = Compile(Details);

/** Returns a row as it is listed, without invalid details, which could not be sent. */
export function sessionOf({ numero, state, qr, waiting, details }: SessionRow): WireListItem {
  const known = areDetails(details) ? detailsOf(details) : {};
  return { numero, state, ...(qr !== null && { qrCode: qr }), waiting, ...known };
}

/** Whether the details of a row are valid. */
export function areDetails(details: unknown): details is WireDetails {
  return form.Check(details);
}

export function versionOf({ place, version }: SessionRow): RowVersion {
  return { place: Number(place), version: Number(version) };
}
