import { tokenOf } from '../access/access.js';
import { listPhones } from './simulator.js';

document.querySelector('whatsapp-operadores').token = () => tokenOf();

/**
 * Gateways to real phones have no simulator: there the page is the panel and nothing else. So the drawer is loaded only
 * if the gateway lists its phones.
 */
const phones = await listPhones().catch(() => undefined);
if (phones) {
  const { openWorkbench } = await import('./workbench.js');
  openWorkbench(phones);
}
