/** What the drawer says when a simulated phone refuses an action. */
const SENTENCES = {
  'unknown-phone': (numero: string) => `No hay ningún teléfono simulado con el número ${numero}.`,
  'no-code': (numero: string) => `La sesión de ${numero} no tiene ningún código para escanear.`,
  'expired-code': (numero: string) => `El código QR de ${numero} venció.`,
  'foreign-code': (numero: string) => `El código QR no es de la sesión de ${numero}.`,
  'no-pairing': (numero: string) => `La sesión de ${numero} no tiene ningún código para escribir.`,
  'expired-pairing': (numero: string) => `El código para vincular ${numero} venció.`,
  'foreign-pairing': (numero: string) => `Ese código es de otro número, no de ${numero}.`,
  'wrong-pairing': () => 'Ese código no es correcto: revísalo y escríbelo otra vez.',
  outdated: () => 'No se pudo vincular el dispositivo.',
  'already-linked': (numero: string) => `El teléfono ${numero} ya está vinculado.`,
  'not-linked': (numero: string) => `El teléfono ${numero} no está vinculado.`,
  'not-connected': (numero: string) => `La sesión de ${numero} no está conectada.`,
  'no-line': (numero: string) => `El teléfono ${numero} no tiene línea.`,
  'has-line': (numero: string) => `El teléfono ${numero} ya tiene línea.`,
  'no-session': (numero: string) => `El teléfono ${numero} no tiene ninguna sesión levantada.`,
  'nothing-unread': (numero: string) => `El teléfono ${numero} no tiene mensajes sin leer.`,
  closing: (numero: string) => `La sesión de ${numero} se está eliminando.`,
};

/** Why a phone refuses an action. */
export type PhoneRefusal = keyof typeof SENTENCES;

/** Thrown when a phone refuses an action; nothing has changed. Its message is the drawer's sentence. */
export class PhoneRefused extends Error {
  override readonly name = 'PhoneRefused';
  readonly reason: PhoneRefusal;

  constructor(reason: PhoneRefusal, numero: string) {
    super(SENTENCES[reason](numero));
    this.reason = reason;
  }
}
