import { io } from '/socket.io/socket.io.esm.min.js';
import { tokenOf } from '../access.js';
import { listPhones } from './simulator.js';

/** @typedef {import('./simulator.js').PhoneRecord} PhoneRecord */

const RETRY_MS = 2_000;

/**
 * Follows the gateway's phones for the life of the page.
 *
 * @param {object} listener
 * @param {(phones: PhoneRecord[], newer: Set<string>) => void} listener.listed - With the numeros that were pushed
 *   while the list was on its way.
 * @param {(phone: PhoneRecord) => void} listener.changed
 * @param {(numero: string) => void} listener.removed
 * @param {(connected: boolean) => void} listener.connected
 */
export function followPhones(listener) {
  const socket = io('/simulator', { auth: async (give) => give({ token: await tokenOf() }) });
  let newer = new Set();

  async function refresh() {
    const mine = new Set();
    newer = mine;
    try {
      const phones = await listPhones();
      if (newer !== mine || !socket.connected) return;
      listener.listed(phones, mine);
      listener.connected(true);
    } catch {
      if (newer === mine && socket.connected) setTimeout(refresh, RETRY_MS);
    }
  }

  // Pushes are not repeated after a disconnection, so each connection starts with the whole list.
  socket.on('connect', refresh);
  socket.on('phone', (phone) => {
    newer.add(phone.numero);
    listener.changed(phone);
  });
  socket.on('phone:removed', (numero) => {
    newer.add(numero);
    listener.removed(numero);
  });

  const lost = () => {
    listener.connected(false);
    // Socket.IO reconnects by itself, unless the gateway ended the connection.
    if (!socket.active) setTimeout(() => socket.connect(), RETRY_MS);
  };
  socket.on('disconnect', lost);
  socket.on('connect_error', lost);
}
