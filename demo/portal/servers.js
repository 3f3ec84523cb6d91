import { tokenOf } from '../access/access.js';

/** The origin of the second server, if the gateway was told of one. */
export async function findOtherServer() {
  const response = await fetch('portal/servers.json');
  const [other] = response.ok ? await response.json() : [];
  return other;
}

/** Gives the panel of the second branch its own server, and each the token of its server, before they are in the page. */
export function assignServer(content, other) {
  for (const panel of content.querySelectorAll('whatsapp-operadores')) {
    panel.token = () => tokenOf(panel.getAttribute('socket-origin') ?? location.origin);
  }
  const panel = content.querySelector('[data-sede="Norte"]');
  if (!panel || other === undefined) return;
  panel.setAttribute('api-base', `${other}/api`);
  panel.setAttribute('socket-origin', other);
  content.querySelector('[data-same-server]').remove();
}
