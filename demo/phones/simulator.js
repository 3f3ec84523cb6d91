import { authorization } from '../access.js';

/** @typedef {import('../../gateway/src/engines/simulated/record.ts').PhoneRecord} PhoneRecord */

/** @returns {Promise<PhoneRecord[]>} */
export async function listPhones() {
  const response = await fetch('/simulator/phones', { headers: await authorization() });
  if (!response.ok) throw new Error(`The simulator answered ${response.status}`);
  return response.json();
}

/** Has the phone do something, and returns the sentence of a refusal. */
export async function tell(numero, action, body) {
  try {
    const response = await fetch(`/simulator/phones/${encodeURIComponent(numero)}/${action}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(await authorization()) },
      body: JSON.stringify(body),
    });
    return response.ok ? undefined : (await response.json()).message;
  } catch {
    return 'No se pudo hablar con el teléfono. Inténtalo de nuevo.';
  }
}
