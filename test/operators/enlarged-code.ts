/** A panel with a code, and the dialog of that code. */
import { startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { mountReady, type Panel } from '../support/panel.ts';
import { decodeQr } from '../support/qr.ts';

export const NUMERO = '5491155550001';

export async function read(element: Element): Promise<string | undefined> {
  return (await decodeQr(element))?.text;
}

/** Mounts a panel with a code; `enlarge` is the button that opens its dialog. */
export async function card() {
  const gateway = await startGateway({
    extensions: [],
    sessions: [
      { numero: NUMERO, state: 'qr' },
      { numero: '5491155550002', state: 'disconnected' },
    ],
  });
  const panel: Panel = await mountReady(gateway);
  const enlarge = await panel.find('button', `Ampliar el código QR de ${NUMERO}`);
  await panel.find('img', /QR/);
  return { gateway, panel, enlarge };
}

/** Mounts a panel with a code, and opens its dialog. */
export async function enlarged() {
  const { enlarge, ...rest } = await card();
  await click(enlarge);
  const dialog = await rest.panel.openDialog();
  await rest.panel.find('img', /QR/, dialog);
  return { ...rest, dialog };
}
