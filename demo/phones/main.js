import { tokenOf } from '../access.js';
import { listPhones } from './simulator.js';

document.querySelector('whatsapp-operadores').token = tokenOf;

// Gateways to real phones have no simulator: there the page is the panel and nothing else.
const phones = await listPhones().catch(() => undefined);
if (phones) {
  const { openDrawer } = await import('./drawer.js');
  openDrawer(phones);
} else {
  document.getElementById('phones-toggle').remove();
}
