import type { LinkEnd } from './wire.ts';

/** What the page says once its link is over, and the gateway answers from then on. */
export const END_SENTENCES: Readonly<Record<LinkEnd, string>> = {
  linked: 'Listo: el teléfono quedó vinculado.',
  expired: 'Este enlace venció. Pide otro a quien te lo envió.',
  revoked: 'Quien te envió este enlace lo anuló.',
  deleted: 'Este número ya no se va a vincular: quien te envió el enlace lo eliminó.',
  replaced: 'Hay un enlace más nuevo para este número. Abre el último que te enviaron.',
};
