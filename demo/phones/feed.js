import { io } from '/socket.io/socket.io.esm.min.js';
import { tokenOf } from '../access/access.js';
import { listPhones } from './simulator.js';

const RETRY_MS = 2_000;

/**
 * Keeps the store in sync with the gateway for the life of the page.
 *
 * @param {import('./store.js').PhoneStore} store
 * @param {(connected: boolean) => void} onConnection
 */
export function follow(store, onConnection) {
  const socket = io('/simulator', { auth: async (give) => give({ token: await tokenOf() }) });
  /** Numeros with a push during a list request: the push is newer than the list. */
  let heard = new Set();

  async function refresh() {
    const mine = new Set();
    heard = mine;
    try {
      const phones = await listPhones();
      if (heard !== mine || !socket.connected) return;
      store.replaceAll(phones, mine);
      onConnection(true);
    } catch {
      if (heard === mine && socket.connected) setTimeout(refresh, RETRY_MS);
    }
  }

  // Pushes are not repeated after a disconnection, so each connection starts with the whole list.
  socket.on('connect', refresh);
  socket.on('phone', (phone) => {
    heard.add(phone.numero);
    store.put(phone);
  });
  socket.on('phone:removed', (numero) => {
    heard.add(numero);
    store.remove(numero);
  });

  const lost = () => {
    onConnection(false);
    // Socket.IO reconnects by itself, unless the gateway ended the connection.
    if (!socket.active) setTimeout(() => socket.connect(), RETRY_MS);
  };
  socket.on('disconnect', lost);
  socket.on('connect_error', lost);
}
