import { digitsOf } from '../../numbers.ts';

const TEAMS = [
  'Ventas',
  'Soporte',
  'Cobranza',
  'Pedidos',
  'Reservas',
  'Taller',
  'Tienda',
  'Atención',
  'Entregas',
  'Postventa',
  'Recepción',
] as const;

const PLACES = ['Norte', 'Centro', 'Sur', 'Este', 'Oeste', 'Costa', 'Puerto'] as const;

/** Returns the name of a numero's account: always the same, and shared by some other numeros. */
export function accountName(numero: string): string {
  const digits = Number(digitsOf(numero).slice(-8));
  const team = TEAMS[digits % TEAMS.length] ?? TEAMS[0];
  const place = PLACES[digits % PLACES.length] ?? PLACES[0];
  return `${team} ${place}`;
}
