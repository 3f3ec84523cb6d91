import '../../src/index.ts';
import { findByText, waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import jsQR from 'jsqr';
import { isWebKit } from '../support/browser.ts';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { startGateway } from '../support/gateway.ts';
import { click, clickAt, press } from '../support/input.ts';
import { emulate } from '../support/media.ts';
import { existing, mountReady, type Panel } from '../support/panel.ts';
import { decodeQr } from '../support/qr.ts';
import { resize } from '../support/viewport.ts';

const NUMERO = '5491155550001';
const OTHER = '5491155550002';
const EXPIRED = 63_000;

describe('the dialog of a code', () => {
  it('opens by Enter, and its code can be scanned', async () => {
    const { gateway, panel, enlarge } = await card();
    enlarge.focus();
    const small = panel.get('img', /QR/).getBoundingClientRect().width;
    await press('Enter');
    const dialog = await panel.openDialog();
    expect(panel.get('dialog', `Vincular ${NUMERO}`)).to.equal(dialog);
    const image = await panel.find('img', `Código QR para vincular ${NUMERO}`, dialog);
    expect(image.getBoundingClientRect().width).to.be.greaterThan(1.5 * small);
    expect(await read(image)).to.equal(await gateway.phone(NUMERO).code());
  });

  it('closes by Escape, Cerrar and a click beside it, and restores the focus', async () => {
    const { panel, enlarge } = await card();
    const ways = [
      () => press('Escape'),
      async () => click(panel.button('Cerrar', await panel.openDialog())),
      () => clickAt(3, 3),
    ];
    for (const close of ways) {
      await click(enlarge);
      await panel.openDialog();
      await close();
      await waitFor(() => expect(panel.dialog()).to.equal(null));
      await waitFor(() => expect(panel.focused).to.equal(enlarge));
    }
  });

  for (const [width, height] of [
    [280, 560],
    [390, 844],
    [667, 375],
    [800, 1000],
    [1280, 800],
  ] as const) {
    it(`fills a screen of ${width} × ${height} and cuts nothing off`, async function () {
      // WebKit's window cannot be so narrow.
      if (isWebKit && width < 447) this.skip();
      const { gateway, panel, enlarge } = await card();
      await resize(panel, width, height);
      await click(enlarge);
      const image = await panel.find('img', /QR/, await panel.openDialog());
      const box = image.getBoundingClientRect();
      expect(Math.min(box.left, box.top)).to.be.at.least(0);
      expect(box.right).to.be.at.most(innerWidth);
      expect(box.bottom).to.be.at.most(innerHeight);
      expect(box.width).to.be.greaterThan(0.8 * Math.min(width, height));
      expect(await read(image)).to.equal(await gateway.phone(NUMERO).code());
      // While the panel is there: WebKit misses a change of the window's size while no root uses the sheet.
      await resize(panel, 1000, 800);
    });
  }

  for (const [width, height] of [
    [320, 640],
    [360, 740],
    [667, 375],
    [1000, 800],
    [1366, 640],
    [1280, 900],
  ] as const) {
    it(`is not covered by notices, ${width} × ${height}`, async function () {
      if (isWebKit && width < 447) this.skip();
      const { gateway, panel, dialog } = await enlarged();
      await resize(panel, width, height);
      await gateway.push(`session:authenticated:${OTHER}`);
      const notice = await panel.notice(`Sesión de ${OTHER} autenticada y lista para usarse`);
      const code = panel.get('img', /QR/, dialog);
      await waitFor(() => expect(overlap(notice, code)).to.equal(false));
      await resize(panel, 1000, 800);
    });
  }

  it('shows each new code', async () => {
    const { gateway, dialog } = await enlarged();
    // The panel learns short lifetimes from codes that follow soon: the last one could expire while it is read.
    stopClock();
    for (const text of ['2@second', '2@third']) {
      await gateway.push(`session:qr:${NUMERO}`, text);
      await waitFor(async () => expect(await read(dialog)).to.equal(text));
    }
  });

  it('says that a code is too long to be drawn, also on download', async () => {
    consoleErrors();
    const { gateway, panel, dialog } = await enlarged();
    const why = 'El código QR que envió el servidor no se puede dibujar';
    await gateway.push(`session:qr:${NUMERO}`, '2@'.padEnd(3000, 'x'));
    await findByText(dialog, why);
    await click(panel.button('Descargar PNG', dialog));
    await panel.notice(why);
  });

  it('stays open after the scan and shows the progress', async () => {
    const { gateway, panel, dialog } = await enlarged();
    const phone = gateway.phone(NUMERO);
    await phone.setFault('stuck');
    await phone.scan();
    const status = () => dialog.querySelector('[role="status"]')?.textContent;
    await waitFor(() => expect(status()).to.include('El teléfono se está vinculando.'));
    expect(panel.all('img', /QR/, dialog)).to.deep.equal([]);
    await phone.setFault(null);
    await waitFor(() => expect(status()).to.include('CONNECTED'));
    expect(status()).to.include('Conectada: envía y recibe mensajes.');
    expect(panel.dialog()).to.equal(dialog);
    expect(dialog.contains(panel.focused)).to.equal(true);
    await press('Escape');
    const title = panel.get('heading', NUMERO, await panel.card(NUMERO));
    await waitFor(() => expect(panel.focused).to.equal(title));
  });

  it('gives way to a short sign of success when it is scanned, where motion is allowed', async function () {
    // WebKit cannot emulate media features.
    if (isWebKit) this.skip();
    const signs = (root: ParentNode) => root.querySelectorAll('.scanned');
    for (const reducedMotion of [false, true]) {
      await emulate({ reducedMotion });
      const { gateway, panel } = await enlarged();
      let seen = 0;
      panel.root.addEventListener('animationstart', ({ target }) => {
        if (target instanceof Element && target.matches('.scanned')) seen += 1;
      });
      await gateway.phone(NUMERO).scan();
      await waitFor(() => expect(panel.text).to.include('Conectada: envía y recibe mensajes.'));
      // On the card, and in the dialog.
      if (!reducedMotion) await waitFor(() => expect(seen).to.equal(2));
      await waitFor(() =>
        expect([...signs(panel.root)].filter((sign) => sign.checkVisibility())).to.deep.equal([]),
      );
      expect(seen).to.equal(reducedMotion ? 0 : 2);
      panel.element.remove();
    }
  });

  it("covers an expired code, and 'Generar otro' brings one that can be scanned", async () => {
    const { gateway, panel, dialog } = await enlarged();
    jumpAhead(EXPIRED);
    const another = await panel.find('button', 'Generar otro', dialog);
    expect(await read(dialog)).to.equal(undefined);
    const links = downloads();
    await click(panel.button('Descargar PNG', dialog));
    expect(links).to.deep.equal([]);
    await click(another);
    await waitFor(async () =>
      expect(existing(await read(dialog))).to.equal(await gateway.phone(NUMERO).code()),
    );
    expect(panel.dialog()).to.equal(dialog);
    expect(dialog.contains(panel.focused)).to.equal(true);
  });

  it('says when all codes have run out, and offers another', async () => {
    const { gateway, panel, dialog } = await enlarged();
    await gateway.push(`session:qr_timeout:${NUMERO}`);
    await waitFor(() => expect(dialog.textContent).to.include('Nadie escaneó el código a tiempo.'));
    await click(panel.button('Generar otro', dialog));
    await panel.find('img', /QR/, dialog);
  });

  it('says when its session was deleted', async () => {
    const { gateway, panel, dialog } = await enlarged();
    await fetch(`${gateway.url}/api/session/${NUMERO}`, { method: 'DELETE' });
    await panel.element.refresh();
    await waitFor(() => expect(dialog.textContent).to.include('Esta sesión ya no está en la lista.'));
    await click(panel.button('Cerrar', dialog));
    await waitFor(() => expect(panel.focused?.matches('h2'), 'the focus above the cards').to.equal(true));
  });

  it('closes at its top right, in sight on a small screen too', async () => {
    const { panel, dialog } = await enlarged();
    for (const [width, height] of [
      [360, 740],
      [1366, 640],
    ] as const) {
      await resize(panel, width, height);
      const box = dialog.getBoundingClientRect();
      const { right, top, bottom } = panel.button('Cerrar', dialog).getBoundingClientRect();
      expect(box.right - right).to.be.within(0, 24);
      expect(top - box.top).to.be.within(0, 24);
      expect(bottom).to.be.at.most(innerHeight);
    }
    await resize(panel, 1000, 800);
  });

  it('shows the four steps before its buttons, and what a passkey means', async () => {
    const { panel, dialog } = await enlarged();
    expect(panel.all('listitem', undefined, dialog).map(({ textContent }) => textContent)).to.deep.equal([
      `Abre WhatsApp en el teléfono de ${NUMERO}`,
      'Toca ⋮ (Android) o Configuración (iPhone) → Dispositivos vinculados',
      'Toca Vincular un dispositivo',
      'Apunta la cámara a este código',
    ]);
    const last = panel.all('listitem', undefined, dialog).at(-1)?.getBoundingClientRect();
    expect(panel.button('Descargar PNG', dialog).getBoundingClientRect().top).to.be.above(last?.bottom ?? 0);
    const explanation = [...dialog.querySelectorAll('p')].find((p) =>
      p.textContent.includes('la exige a algunas cuentas'),
    );
    expect(explanation?.checkVisibility()).to.equal(false);
    const summary = await waitFor(() => existing(dialog.querySelector('summary')));
    expect(summary.textContent).to.equal('Si el teléfono pide una llave de acceso');
    await click(summary);
    await waitFor(() => expect(explanation?.checkVisibility(), 'the explanation').to.equal(true));
  });
});

describe('the image of a code', () => {
  it('is downloaded as a PNG: its quiet zone, whole pixels, black on white', async () => {
    const { gateway, panel, dialog } = await enlarged();
    const links = downloads();
    await click(panel.button('Descargar PNG', dialog));
    const [link] = links;
    expect(link?.download).to.equal(`codigo-qr-${NUMERO}.png`);
    const image = await pixelsOf(await (await fetch(link?.href ?? '')).blob());
    await expectGoodImage(image, await gateway.phone(NUMERO).code());
  });

  it('is copied as a PNG, with a notice', async () => {
    const { gateway, panel, dialog } = await enlarged();
    const copied: ClipboardItem[] = [];
    clipboard(async (items) => {
      copied.push(...items);
    });
    await click(panel.button('Copiar imagen', dialog));
    await panel.notice('Imagen copiada. Sirve hasta que el código venza.');
    const png = await copied[0]?.getType('image/png');
    expect(png?.type).to.equal('image/png');
    await expectGoodImage(await pixelsOf(png ?? new Blob()), await gateway.phone(NUMERO).code());
  });

  it('that the browser does not let the page copy gives a notice', async () => {
    const { panel, dialog } = await enlarged();
    const errors = consoleErrors();
    clipboard(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
    await click(panel.button('Copiar imagen', dialog));
    await panel.notice('El navegador no permitió copiar la imagen. Puedes descargarla.');
    expect(errors()).to.deep.equal([]);
  });

  it('cannot be copied where there is no clipboard, as with plain HTTP', async () => {
    const { panel, enlarge } = await card();
    const { ClipboardItem } = window;
    Reflect.deleteProperty(window, 'ClipboardItem');
    try {
      await click(enlarge);
      const dialog = await panel.openDialog();
      await panel.find('button', 'Descargar PNG', dialog);
      expect(panel.all('button', 'Copiar imagen', dialog)).to.deep.equal([]);
    } finally {
      Object.defineProperty(window, 'ClipboardItem', {
        value: ClipboardItem,
        configurable: true,
        writable: true,
      });
    }
  });
});

const { click: follow } = HTMLAnchorElement.prototype;

afterEach(() => {
  HTMLAnchorElement.prototype.click = follow;
  Reflect.deleteProperty(navigator.clipboard, 'write');
});

/** Collects the links that scripts click, instead of following them. */
function downloads(): HTMLAnchorElement[] {
  const links: HTMLAnchorElement[] = [];
  HTMLAnchorElement.prototype.click = function () {
    links.push(this);
  };
  return links;
}

/** Replaces the system's clipboard. */
function clipboard(write: (items: ClipboardItem[]) => Promise<void>): void {
  Object.defineProperty(navigator.clipboard, 'write', { value: write, configurable: true });
}

async function pixelsOf(png: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(png);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (!context) throw new Error('This browser gives no 2d canvas.');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

async function expectGoodImage({ data, width, height }: ImageData, text: string | null): Promise<void> {
  const code = jsQR(data, width, height, { inversionAttempts: 'dontInvert' });
  expect(code?.data).to.equal(text);
  expect(height).to.equal(width);
  const modules = 17 + 4 * (code?.version ?? 0) + 8;
  expect(width % modules, 'pixels besides those of the modules').to.equal(0);
  const scale = width / modules;
  const shades = new Set<number>();
  let quiet = width;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) shades.add(data[4 * pixel + channel] ?? -1);
    const isDark = data[4 * pixel] === 0;
    if (isDark) quiet = Math.min(quiet, pixel % width, Math.floor(pixel / width));
  }
  expect([...shades].sort(), 'shades').to.deep.equal([0, 255]);
  expect(
    data.every((value, at) => at % 4 !== 3 || value === 255),
    'nothing to see through',
  ).to.equal(true);
  expect(quiet, 'the quiet zone').to.equal(4 * scale);
}

function overlap(one: Element, other: Element): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

async function read(element: Element): Promise<string | undefined> {
  return (await decodeQr(element))?.text;
}

async function card() {
  const gateway = await startGateway({
    extensions: [],
    sessions: [
      { numero: NUMERO, state: 'qr' },
      { numero: OTHER, state: 'disconnected' },
    ],
  });
  const panel: Panel = await mountReady(gateway);
  const enlarge = await panel.find('button', `Ampliar el código QR de ${NUMERO}`);
  await panel.find('img', /QR/);
  return { gateway, panel, enlarge };
}

async function enlarged() {
  const { enlarge, ...rest } = await card();
  await click(enlarge);
  const dialog = await rest.panel.openDialog();
  await rest.panel.find('img', /QR/, dialog);
  return { ...rest, dialog };
}
