const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;
const numbers = (count) => plural(count, 'número', 'números');
const withNumbers = (count) => (count > 0 ? `con ${numbers(count)}` : 'sin números');

/** A duration in milliseconds, as people read it. */
export const seconds = (ms) =>
  `${(ms / 1000).toLocaleString('es', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;

export const texts = {
  phases: {
    starting: 'Arrancando…',
    up: 'En marcha',
    draining: 'Entregando…',
    drained: 'Drenado',
    stopping: 'Parando…',
    down: { killed: 'Muerto', stopped: 'Parado', failed: 'Se cayó' },
  },
  actions: {
    drain: 'Drenar',
    stop: 'Parar',
    kill: 'Matar',
    start: 'Levantar de nuevo',
  },
  /** What an action does to a server, for who hears the button alone. */
  actionOn: (action, name) => `${action} ${name}`,
  here: 'Atiende este panel',
  place: (name) =>
    name === null ? 'El panel busca un servidor…' : `Este panel llega al ${name}, a través del proxy`,
  process: (port, pid) => [port && `puerto ${port}`, pid && `proceso ${pid}`].filter(Boolean).join(' · '),
  noProcess: 'sin proceso',
  total: (owned, carried) => {
    if (owned === 0) return 'Ningún número';
    return carried === 0 ? `${numbers(owned)} sin atender` : numbers(carried);
  },
  noneFree: 'Ninguno: todos los números tienen quien los atienda.',
  noneFreeYet: 'Todavía ninguno: los del servidor caído esperan a que venza su plazo.',
  scan: 'Escanear',
  scanOf: (numero) => `Escanear el código de ${numero}`,
  states: {
    none: 'Espera un servidor',
    stranded: 'Espera su relevo',
    code: 'Muestra un código',
    CONNECTED: 'Conectado',
    DESCONECTADO: 'Desconectado',
    'AUTENTICANDO...': 'Autenticando…',
    'CERRANDO SESIÓN...': 'Cerrando sesión…',
  },
  carried: (carried, total) => `${carried} de ${total}`,
  carriedLabel: (total) => (total === 1 ? 'número atendido' : 'números atendidos'),
  joined: (name) => `El ${name} se sumó.`,
  lostServer: {
    killed: (name, count) => `El ${name} murió ${withNumbers(count)}.`,
    failed: (name, count) => `El ${name} se cayó ${withNumbers(count)}.`,
    stopping: (name, count) => `El ${name} para${count > 0 ? ` y suelta ${numbers(count)}` : ''}.`,
    draining: (name, count) =>
      `El ${name} entrega ${count > 0 ? `${numbers(count)}, de uno en uno` : 'lo que tenga'}.`,
  },
  recovered: (name, count, ms) =>
    count === 1
      ? `El número del ${name} tiene otro servidor, ${seconds(ms)} después.`
      : `Los ${count} números del ${name} tienen otro servidor, ${seconds(ms)} después.`,
  lost: 'La demostración terminó: vuelve a arrancarla en la terminal.',
  failed: 'No se pudo. Inténtalo de nuevo.',
};
