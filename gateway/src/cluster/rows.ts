import type { WireDetails, WireListItem } from '../../../src/wire.ts';

/** What panels see of a row of the table `session`. */
export interface SessionRow {
  readonly numero: string;
  readonly state: string;
  readonly qr: string | null;
  readonly waiting: boolean;
  readonly details: WireDetails;
  readonly place: string;
  readonly version: string;
}

/** Where a row is in the list, and how often it has changed. */
export interface RowVersion {
  readonly place: number;
  readonly version: number;
}

/** Returns a row as it is listed. */
export function sessionOf({ numero, state, qr, waiting, details }: SessionRow): WireListItem {
  return { numero, state, ...(qr !== null && { qrCode: qr }), waiting, ...details };
}

export function versionOf({ place, version }: SessionRow): RowVersion {
  return { place: Number(place), version: Number(version) };
}
