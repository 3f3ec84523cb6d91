import { tokenOf } from '../access/access.js';

/** The gateway's default port. */
const DEFAULT_PORT = '8080';

/** Returns the origin of the second server, if the gateway was given one. */
export async function findOtherServer() {
  const response = await fetch('portal/servers.json');
  const [other] = response.ok ? await response.json() : [];
  return other;
}

/** Gives the panel of the second branch its server, and each panel its token, before they are in the page. */
export function assignServer(content, other) {
  for (const panel of content.querySelectorAll('whatsapp-operadores')) {
    panel.token = () => tokenOf(panel.getAttribute('socket-origin') ?? location.origin);
  }
  const panel = content.querySelector('[data-sede="Norte"]');
  if (!panel) return;
  if (other === undefined) {
    content.querySelector('[data-commands]').textContent = commandsForTwo(location);
    return;
  }
  panel.setAttribute('api-base', `${other}/api`);
  panel.setAttribute('socket-origin', other);
  content.querySelector('[data-same-server]').remove();
}

/** Returns the commands that start this gateway, with its current port, and another one, each knowing the other. */
function commandsForTwo({ origin, port }) {
  const own = port || DEFAULT_PORT;
  const next = Number(own) + 1;
  const ownPort = own === DEFAULT_PORT ? '' : ` --port ${own}`;
  return [
    `npm start -- --port ${next} --allow-origin ${origin}`,
    `npm start --${ownPort} --other-server http://127.0.0.1:${next}`,
  ].join('\n');
}
