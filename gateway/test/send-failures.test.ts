import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failureSentence, failureStatus } from '../src/http/sentences.ts';
import type { DeliveryFailure } from '../src/sessions/engine.ts';

const failed = (...pairs: [contact: string, reason: DeliveryFailure][]) =>
  pairs.map(([contact, reason]) => ({ contact, reason }));

describe('recipients that failed', () => {
  const sentences: [DeliveryFailure, status: number, says: string][] = [
    ['no-whatsapp', 422, 'El número 1 no tiene WhatsApp.'],
    ['not-connected', 409, 'La sesión perdió la conexión: no se envió a 1.'],
    ['no-answer', 503, 'WhatsApp no responde: no se envió a 1.'],
    ['too-many', 429, 'Hay demasiados mensajes en espera: no se envió a 1.'],
    ['store-full', 507, 'El servidor no tiene espacio para guardar: no se envió a 1.'],
    ['store-failed', 503, 'El servidor no puede leer o guardar sus datos: no se envió a 1.'],
    [
      'moving',
      503,
      'La sesión está pasando a otro servidor: no se envió a 1. Inténtalo de nuevo en unos segundos.',
    ],
    ['unconfirmed', 504, 'WhatsApp no lo confirmó: puede que no llegue a 1.'],
    ['refused', 502, 'WhatsApp rechazó el mensaje para 1.'],
    [
      'restricted',
      409,
      'La cuenta está restringida: puede responder, pero no iniciar chats nuevos. No se envió a 1.',
    ],
  ];
  for (const [reason, status, says] of sentences) {
    test(`are named: ${says}`, () => {
      assert.equal(failureSentence(failed(['1', reason])), says);
      assert.equal(failureStatus(failed(['1', reason])), status);
    });
  }

  test('are grouped by reason', () => {
    const several = failed(['1', 'no-whatsapp'], ['2', 'unconfirmed'], ['3', 'no-whatsapp']);
    assert.equal(
      failureSentence(several),
      'Los números 1, 3 no tienen WhatsApp. WhatsApp no lo confirmó: puede que no llegue a 2.',
    );
    assert.equal(failureStatus(several), 502);
  });
});
