import type { Right } from './users.ts';

/** The sentences for users who may not do something. */
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
  return `No tienes permiso para ${RIGHT_REFUSALS[right]}`;
}

/** The same whether the session exists or not: others do not learn which do. */
export function sessionRefusal(numero: string): string {
  return `No tienes permiso para la sesión de ${numero}`;
}

export const GROUP_REFUSAL = 'No tienes permiso para ese grupo: solo puedes usar los tuyos';

export const NOT_ALL = 'Solo para quien ve todas las sesiones';

export const NOT_EVERYTHING = 'Solo para quien puede todo, en todas las sesiones';
