import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import jsQR from 'jsqr';
import { isWebKit } from '../support/browser.ts';
import { consoleErrors } from '../support/console.ts';
import { click, clickAt, press } from '../support/input.ts';
import { emulate } from '../support/media.ts';
import { card, downloads, enlarged, NUMERO, read } from './enlarged-code.ts';

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
      // By `closedby`, which WebKitGTK 2.50 lacks.
      ...('closedBy' in HTMLDialogElement.prototype ? [() => clickAt(3, 3)] : []),
    ];
    for (const close of ways) {
      await click(enlarge);
      await panel.openDialog();
      await close();
      await waitFor(() => expect(panel.dialog()).to.equal(null));
      await waitFor(() => expect(panel.focused).to.equal(enlarge));
    }
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
});

describe('the image of a code', () => {
  it('is downloaded as a PNG: its quiet zone, whole pixels, black on white', async () => {
    const { gateway, panel, dialog } = await enlarged();
    const links = downloads();
    await click(panel.button('Descargar PNG', dialog));
    await waitFor(() => expect(links).to.have.length(1));
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

afterEach(() => {
  Reflect.deleteProperty(navigator.clipboard, 'write');
});

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
