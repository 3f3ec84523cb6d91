import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, afterEach, before, describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import jsQR from 'jsqr';
import type { Browser, Page } from 'puppeteer-core';
import { io } from 'socket.io-client';
import { STATES } from '../../src/wire.ts';
import { DemoPage, launchBrowser } from '../../test/demo/demo-page.ts';
import { listening } from '../../test/support/listening.ts';
import { stablePort } from '../../test/support/stable-port.ts';
import { until } from '../../test/support/until.ts';
import { END_SENTENCES } from '../link-page/sentences.ts';
import { linkLeft } from '../link-page/texts.ts';
import type { LinkEnd } from '../link-page/wire.ts';
import { SessionRefused } from '../src/sessions/errors.ts';
import { FakeLinks, type LinkServer, serveLinks } from './support/fake-links.ts';
import { NUMERO } from './support/gateway.ts';

/** As long as WhatsApp's own. */
const QR = `2@${'aB3'.repeat(20)},${'x9Kq'.repeat(11)}=,${'Zr4T'.repeat(11)}=,${'mN7P'.repeat(11)}=`;
const READY = { state: STATES.authenticating, qrCode: QR };
const PHONE = 360;
const DESK = 1280;

const FILES = ['', 'page.css', 'page.js', 'icon.svg'];

test('the page behind a link counts minutes, and hours from two on', () => {
  const minute = 60_000;
  const left = [0.5, 10, 119, 121, 24 * 60].map((minutes) => linkLeft(minutes * minute));
  assert.deepEqual(left, [
    'A este enlace le queda menos de un minuto.',
    'Este enlace sirve 10 min más.',
    'Este enlace sirve 119 min más.',
    'Este enlace sirve 2 h más.',
    'Este enlace sirve 24 h más.',
  ]);
});

describe('the files of the page behind a link', () => {
  test('weigh less than 60 kB in all, by gzip', async (t) => {
    const { url } = await serveLinks(t, new FakeLinks());
    let sum = 0;
    for (const file of FILES) {
      const response = await fetch(`${url}/l/${file}`);
      assert.equal(response.status, 200, file);
      sum += gzipSync(Buffer.from(await response.arrayBuffer()), { level: 6 }).length / 1_000;
    }
    t.diagnostic(`The page: ${sum.toFixed(1)} kB`);
    assert.ok(sum < 60, `${sum} kB`);
  });

  test('are kept nowhere, found by nobody, framed by nobody, and allowed nothing else', async (t) => {
    const { url } = await serveLinks(t, new FakeLinks());
    for (const file of FILES) {
      const { headers, body } = await fetch(`${url}/l/${file}`);
      await body?.cancel();
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('x-robots-tag'), 'noindex');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.deepEqual(headers.get('content-security-policy')?.split('; ').sort(), [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        "style-src 'self'",
        "trusted-types 'none'",
      ]);
    }
    const bare = await fetch(`${url}/l`, { redirect: 'manual' });
    assert.deepEqual([bare.status, bare.headers.get('location')], [308, 'l/']);
    assert.equal((await fetch(`${url}/l/nada`)).status, 404);
  });
});

describe('the page behind a link', () => {
  let browser: Browser;
  const pages: Page[] = [];

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
  });

  async function open(url: string, token: string, width: number): Promise<DemoPage> {
    const opened = await DemoPage.open(browser, `${url}/l/#${token}`, width, 740);
    pages.push(opened.page);
    return opened;
  }

  async function start(
    t: TestContext,
    view: Parameters<FakeLinks['issue']>[1],
    width: number,
  ): Promise<{ links: FakeLinks; server: LinkServer; token: string; page: Page; complaints: string[] }> {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const token = links.issue(NUMERO, view);
    const { page, complaints } = await open(server.url, token, width);
    return { links, server, token, page, complaints };
  }

  test('shows whose number it is and the live QR code on a computer, then the end, and nothing more', async (t) => {
    const { links, server, page, complaints } = await start(t, { ...READY, name: 'Ventas' }, DESK);
    await says(page, 'Abre WhatsApp en el teléfono de');
    assert.match(await textOf(page), new RegExp(`${NUMERO}\\s+Ventas`));
    assert.equal(await page.$$eval('#numero span', ({ length }) => length), 4);
    assert.equal(await page.title(), `Vincular ${NUMERO}`);
    assert.equal(await readQr(page), QR);
    links.change(NUMERO, { qrCode: `${QR}2` });
    await until(async () => (await readQr(page)) === `${QR}2`, 'the next code');
    assert.match(await textOf(page), /Este enlace sirve 10 min más/);
    assert.deepEqual(links.calls, [`opened ${NUMERO}`]);

    links.change(NUMERO, { qrCode: undefined });
    await says(page, 'Vinculando el teléfono');
    links.end(NUMERO, 'linked');
    await says(page, 'Listo: el teléfono quedó vinculado.');
    await says(page, 'Ya puedes cerrar esta página.');
    assert.deepEqual([await page.title(), await focused(page)], [`Listo: ${NUMERO}`, 'over-text']);
    await server.close();
    assert.deepEqual(await askedWithinMinute(page), []);
    assert.deepEqual(complaints, []);
  });

  test('asks for a code to type where the screen is narrow, which is copied with one click', async (t) => {
    const begun = Date.now();
    const { links, server, page, complaints } = await start(t, READY, PHONE);
    await says(page, 'K7XW29QD');
    await assertThreeMinutes(page, begun);
    assert.deepEqual(links.calls.sort(), [`opened ${NUMERO}`, `pair ${NUMERO}`]);
    const groups = await page.$$eval('#code span', (spans) => spans.map(({ textContent }) => textContent));
    assert.deepEqual(groups, ['K7XW', '29QD']);
    assert.equal(await page.$eval('#told', ({ textContent }) => textContent), 'Tu código: K 7 X W, 2 9 Q D');
    await browser
      .defaultBrowserContext()
      .overridePermissions(server.url, ['clipboard-read', 'clipboard-write']);
    await page.click('#copy');
    await says(page, 'Copiado');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'K7XW29QD');
    assert.deepEqual(complaints, []);
  });

  test('generates another code to type when one is over, and says why it cannot', async (t) => {
    const { links, page } = await start(
      t,
      { ...READY, pairing: { code: 'AAAABBBB', expires: Date.now() + 180_000 } },
      PHONE,
    );
    await says(page, 'AAAABBBB');
    links.change(NUMERO, { pairing: { code: 'AAAABBBB', expires: Date.now() + 500 } });
    await says(page, 'El código venció.');
    links.failure = new Error('WhatsApp is away');
    await press(page, 'Generar otro');
    await says(page, 'No se pudo generar el código. El servidor no pudo atender la solicitud.');
    links.failure = undefined;
    await press(page, 'Reintentar');
    await says(page, 'K7XW29QD');
  });

  test('says in its own words that a code cannot be had now', async (t) => {
    const links = new FakeLinks();
    const { url } = await serveLinks(t, links);
    const token = links.issue(NUMERO, READY);
    links.pair = () => Promise.reject(new SessionRefused('not-pairable', NUMERO));
    const { page } = await open(url, token, PHONE);
    await says(
      page,
      'No se pudo generar el código. El teléfono no se puede vincular en este momento: espera unos segundos y vuelve a intentarlo.',
    );
  });

  test('says of a session that is connected when it opens that nothing more is needed', async (t) => {
    const { links, page } = await start(t, { state: STATES.connected }, PHONE);
    await says(page, 'Este teléfono ya está vinculado: no hace falta nada más.');
    await says(page, 'Ya puedes cerrar esta página.');
    assert.doesNotMatch(await textOf(page), /Listo/);
    links.end(NUMERO, 'linked');
    await until(() => page.evaluate(() => document.querySelector('#left')?.textContent === ''), 'the end');
    assert.doesNotMatch(await textOf(page), /Listo/);
  });

  test('generates a code to scan when there is none, and keeps the focus in the card', async (t) => {
    const { links, page } = await start(t, {}, DESK);
    await says(page, 'Cuando tengas el teléfono a mano, genera el código.');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'start');
    await page.keyboard.press('Enter');
    await says(page, 'Preparando el código');
    assert.equal(await focused(page), 'numero');
    links.change(NUMERO, { waiting: false, qrCode: QR });
    await until(async () => (await readQr(page)) === QR, 'the code');
    const expired = { code: 'not-scanned', text: 'Nadie escaneó el código a tiempo.' };
    links.change(NUMERO, { state: STATES.disconnected, qrCode: undefined, reason: expired });
    await says(page, 'El código venció.');
    await press(page, 'Generar otro');
    await says(page, 'Preparando el código');
    assert.deepEqual(links.calls, [`opened ${NUMERO}`, `start ${NUMERO}`, `start ${NUMERO}`]);
    const other = {
      code: 'other-number',
      text: 'Se vinculó el teléfono 34600111222, que es de otro número.',
    };
    links.change(NUMERO, { state: 'NÚMERO DISTINTO: 34600111222', waiting: false, reason: other });
    await says(page, other.text);
    assert.equal(await textOf(page, '#told'), other.text);
  });

  test('can be used by keyboard alone', async (t) => {
    const { links, page } = await start(t, READY, DESK);
    await says(page, 'Apunta la cámara');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await says(page, 'K7XW29QD');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'copy');
    await page.keyboard.press('Enter');
    await until(async () => /Copiado|Está seleccionado/.test(await textOf(page, '#told')), 'the copy');
    assert.ok(links.calls.includes(`pair ${NUMERO}`));
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    await page.keyboard.up('Shift');
    await page.keyboard.press('ArrowUp');
    await says(page, 'Apunta la cámara');
  });

  const SIGN = { step: 'sign', text: 'La cuenta pide una llave de acceso' };
  const CONFIRM = { step: 'confirm', text: 'Compara este código con el que muestra el teléfono: 42DK-PJN4' };
  const SIGNING = { state: 'FALTA LA LLAVE DE ACCESO: hay que confirmarla', passkey: SIGN };
  const COMPARING = { state: 'FALTA LA LLAVE DE ACCESO: hay que comparar', passkey: CONFIRM };

  test('has the extension of the browser sign with a passkey, or says where to install it, and then compares a code', async (t) => {
    const { links, page, complaints } = await start(t, SIGNING, DESK);
    await says(page, 'Instalar la extensión desde Chrome Web Store');
    await says(page, 'Ten el teléfono cerca, con WhatsApp abierto');
    await page.evaluateOnNewDocument(extension, 'ghpdcgnjffaaekflfpcgkgpbafmjldcp');
    await press(page, 'Volver a intentar');

    await press(page, 'Confirmar con la llave de acceso');
    await says(page, 'No se pudo confirmar la llave de acceso. WhatsApp Web no la dio: Cancelled.');
    assert.equal(await textOf(page, '#told'), await textOf(page, '#passkey-text'));
    await press(page, 'Volver a intentar');
    await until(() => page.evaluate('threw'), 'the error of the extension');
    await press(page, 'Volver a intentar');
    await until(() => links.calls.includes(`sign with cmV0bw ${NUMERO}`), 'the signature');
    await says(page, 'Esperando…');
    links.change(NUMERO, { passkey: { step: 'wait', text: '' }, state: STATES.authenticating });
    await says(page, 'Vinculando el teléfono');
    links.change(NUMERO, SIGNING);
    await says(page, 'Hay que confirmar otra vez. Elige la llave de acceso de la cuenta de este teléfono.');
    links.change(NUMERO, COMPARING);
    await says(page, '42DK-PJN4');
    await press(page, 'Es el mismo código');
    await until(() => links.calls.at(-1) === `confirm ${NUMERO}`, 'the confirmation');
    assert.deepEqual(complaints, []);
  });

  test('asks on a phone to be opened on a computer for a passkey, but compares codes there too', async (t) => {
    const links = new FakeLinks();
    const { url } = await serveLinks(t, links);
    const token = links.issue(NUMERO, SIGNING);
    const demo = await DemoPage.open(browser, 'about:blank');
    const { page } = demo;
    pages.push(page);
    await page.setUserAgent({
      userAgent: 'Mozilla/5.0 (Linux; Android 10; K) Chrome/150.0.0.0 Mobile Safari/537.36',
    });
    await demo.visit(`${url}/l/#${token}`);
    await says(page, 'Abre este mismo enlace en una computadora, en Chrome, Edge o Firefox');
    links.change(NUMERO, { passkey: CONFIRM });
    await says(page, '42DK-PJN4');
    await press(page, 'Es el mismo código');
    await until(() => links.calls.includes(`confirm ${NUMERO}`), 'the confirmation');
  });

  test('takes the first press on the code, and tells how it ended, where the extension is missing', async (t) => {
    const { links, page } = await start(t, SIGNING, DESK);
    await says(page, 'Instalar la extensión desde Chrome Web Store');
    // Somebody has signed at another computer.
    links.change(NUMERO, COMPARING);
    await press(page, 'Es el mismo código');
    await until(() => links.calls.includes(`confirm ${NUMERO}`), 'the confirmation');
    const reason = { code: 'passkey', text: 'Nadie confirmó la llave de acceso a tiempo.' };
    links.change(NUMERO, { passkey: undefined, state: 'LLAVE DE ACCESO: el teléfono no se vinculó', reason });
    await says(page, reason.text);
    assert.equal(await textOf(page, '#told'), reason.text);
  });

  test('says how the link ended, whether the page hears it or comes back later', async (t) => {
    const links = new FakeLinks();
    const { url } = await serveLinks(t, links);
    for (const reason of ['linked', 'expired', 'revoked', 'deleted', 'replaced'] satisfies LinkEnd[]) {
      const { page } = await open(url, links.issue(NUMERO, READY), DESK);
      await says(page, 'Apunta la cámara');
      links.end(NUMERO, reason);
      await says(page, END_SENTENCES[reason]);
      await page.reload();
      await says(page, END_SENTENCES[reason]);
    }
  });

  test('says in one sentence that a link is no use, and asks no more', async (t) => {
    const links = new FakeLinks();
    const { url } = await serveLinks(t, links);
    const { page, complaints } = await open(url, 'A'.repeat(22), PHONE);
    await says(page, 'Este enlace no sirve: ya se usó, venció o se anuló. Pide otro a quien te lo envió.');
    assert.deepEqual(await askedWithinMinute(page), []);
    assert.deepEqual(complaints, []);

    const bare = await open(url, '', PHONE);
    await says(bare.page, 'Al enlace le falta una parte. Ábrelo completo, como te lo enviaron.');
    // A link that is opened in the same tab changes the fragment alone.
    const token = links.issue(NUMERO, READY);
    await bare.page.evaluate((fragment) => {
      location.hash = fragment;
    }, token);
    await says(bare.page, 'K7XW29QD');
  });

  test('is open five times at most: the oldest gives way, and can be used again', async (t) => {
    const { server, token, page, complaints } = await start(t, READY, DESK);
    await says(page, 'Apunta la cámara');
    const others = Array.from({ length: 5 }, () =>
      io(`${server.url}/link`, { auth: { token }, forceNew: true, transports: ['websocket'] }),
    );
    t.after(() => {
      for (const other of others) other.disconnect();
    });
    await says(page, 'Este enlace se abrió en otra página, y esta dejó de usarse.');
    assert.doesNotMatch(await textOf(page), /Apunta la cámara|Este enlace sirve/);
    await until(() => others.every(({ connected }) => connected), 'the five others');
    await press(page, 'Seguir aquí');
    await says(page, 'Apunta la cámara');
    await until(() => others.filter(({ connected }) => connected).length === 4, 'another to give way');
    assert.deepEqual(complaints, []);
  });

  test('comes back quietly when the gateway does, and hears what became of its link', async (t) => {
    const links = new FakeLinks();
    const port = await stablePort();
    const first = await serveLinks(t, links, { port });
    const { page } = await open(first.url, links.issue(NUMERO, READY), DESK);
    await says(page, 'Apunta la cámara');
    await holdQuiet(page);
    await first.close();
    await until(() => page.evaluate("typeof endQuiet === 'function'"), 'the page to lose its connection');
    assert.doesNotMatch(await textOf(page), /Se perdió la conexión/);
    await page.evaluate('endQuiet()');
    await says(page, 'Se perdió la conexión. Se está recuperando…');
    links.change(NUMERO, { qrCode: 'otro' });
    const second = await serveLinks(t, links, { port });
    await until(async () => (await readQr(page)) === 'otro', 'the code of the new gateway');
    assert.doesNotMatch(await textOf(page), /Se perdió la conexión/);
    await second.close();
    links.forget(NUMERO);
    await serveLinks(t, links, { port });
    await says(page, 'Si WhatsApp muestra el dispositivo vinculado, ya terminaste.');
  });

  test('works under a path that a proxy removes', async (t) => {
    const links = new FakeLinks();
    const { url } = await serveLinks(t, links);
    const proxied = await strippingProxy(t, url);
    const { page, complaints } = await open(`${proxied}/whatsapp`, links.issue(NUMERO, READY), PHONE);
    await says(page, 'K7XW29QD');
    assert.deepEqual(complaints, []);
  });

  test('goes by the gateway’s clock', async (t) => {
    const links = new FakeLinks();
    const { url } = await serveLinks(t, links);
    for (const shift of [-3_600_000, 3_600_000]) {
      const begun = Date.now();
      const token = links.issue(NUMERO, READY);
      const demo = await DemoPage.open(browser, 'about:blank', PHONE, 740);
      const { page } = demo;
      pages.push(page);
      await page.evaluateOnNewDocument((ms) => {
        const now = Date.now;
        Date.now = () => now() + ms;
      }, shift);
      await demo.visit(`${url}/l/#${token}`);
      await says(page, 'K7XW29QD');
      await assertThreeMinutes(page, begun);
      assert.match(await textOf(page), /Este enlace sirve 10 min más/);
    }
  });

  test('stays open when the clock of its device jumps', async (t) => {
    const { page } = await start(t, READY, PHONE);
    await says(page, 'Vence en');
    await page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 3_600_000;
    });
    const before = await textOf(page, '#code-left');
    await until(async () => (await textOf(page, '#code-left')) !== before, 'a second to pass');
    assert.match(await textOf(page), /Este enlace sirve 10 min más/);
    assert.match(await textOf(page), /K7XW29QD/);
  });

  test('says without scripts what it needs', async (t) => {
    const { url } = await serveLinks(t, new FakeLinks());
    const page = await browser.newPage();
    pages.push(page);
    await page.setJavaScriptEnabled(false);
    await page.goto(`${url}/l/`);
    assert.match(await textOf(page), /Esta página necesita JavaScript/);
  });

  const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  const SCENES: { name: string; says: string; enter: (links: FakeLinks) => void }[] = [
    { name: 'code', says: 'Toca', enter: () => {} },
    {
      name: 'passkey',
      says: 'Instalar la extensión desde Chrome Web Store',
      enter: (links) => links.change(NUMERO, { qrCode: undefined, pairing: undefined, passkey: SIGN }),
    },
    {
      name: 'code to compare',
      says: 'Es el mismo código',
      enter: (links) => links.change(NUMERO, { passkey: CONFIRM }),
    },
    {
      name: 'linking',
      says: 'Vinculando',
      enter: (links) => links.change(NUMERO, { passkey: undefined }),
    },
    {
      name: 'no code',
      says: 'El código venció',
      enter: (links) => links.change(NUMERO, { state: STATES.disconnected }),
    },
    { name: 'end', says: 'Listo', enter: (links) => links.end(NUMERO, 'linked') },
  ];

  test('is clean for axe, fits and has large targets at 320, 360 and 1280 pixels, light and dark', async (t) => {
    const links = new FakeLinks();
    const { url } = await serveLinks(t, links);
    for (const width of [320, PHONE, DESK]) {
      const { page } = await open(url, links.issue(NUMERO, { ...READY, name: 'Ventas Norte' }), width);
      for (const { name, says: said, enter } of SCENES) {
        enter(links);
        await says(page, said);
        if (name === 'code' && width < DESK) await says(page, 'Copiar el código');
        for (const scheme of ['light', 'dark']) {
          const place = `${name}, ${width} pixels, ${scheme}`;
          await page.emulateMediaFeatures([
            { name: 'prefers-color-scheme', value: scheme },
            { name: 'prefers-reduced-motion', value: 'reduce' },
          ]);
          assert.deepEqual(await axeProblems(page, AXE), [], place);
          assert.deepEqual(await misfits(page), [], place);
        }
      }
    }
  });
});

/** Is present in the page as the extension, which refuses, throws, and signs at the third attempt. */
function extension(id: string): void {
  let attempts = 0;
  const runtime = {
    sendMessage(
      to: string,
      message: { type: string; challenge?: { challenge: string } },
      answer: (said: object) => void,
    ) {
      if (to !== id) return;
      if (message.type === 'waha-passkey-ping') {
        answer({ ok: true });
        return;
      }
      attempts += 1;
      if (attempts === 2) {
        Object.assign(window, { threw: true });
        throw new Error('The extension is gone');
      }
      const signed = message.challenge?.challenge ?? '';
      const response = { clientDataJSON: 'aa', authenticatorData: 'bb', signature: 'cc' };
      if (attempts === 1) answer({ ok: false, error: 'Cancelled' });
      else answer({ ok: true, assertion: { id: signed, rawId: signed, type: 'public-key', response } });
    },
  };
  Object.defineProperty(window, 'chrome', { value: { runtime } });
}

/** Has the page wait for the test's call of its `endQuiet` instead of the seconds after which it speaks of a loss. */
async function holdQuiet(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { setTimeout } = window;
    Object.assign(window, {
      setTimeout(task: () => void, ms?: number) {
        if (ms !== 5_000) return setTimeout(task, ms);
        Object.assign(window, { endQuiet: task });
        return 0;
      },
    });
  });
}

/** Lets a minute pass in the page, at once; returns the URLs that it asks for by itself. */
async function askedWithinMinute(page: Page): Promise<string[]> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const session = await page.createCDPSession();
  session.on('Network.webSocketCreated', ({ url }) => asked.push(url));
  await session.send('Network.enable');
  const passed = new Promise((resolve) => session.once('Emulation.virtualTimeBudgetExpired', resolve));
  await session.send('Emulation.setVirtualTimePolicy', { policy: 'advance', budget: 60_000 });
  await passed;
  // The browser fetches the icon when it likes.
  return asked.filter((url) => !url.endsWith('/icon.svg'));
}

/** Waits until the page shows a text. */
async function says(page: Page, text: string): Promise<void> {
  await until(async () => {
    const said = await textOf(page);
    if (said.includes(text)) return true;
    throw new Error(`it says '${said}'`);
  }, `the page to say '${text}'`);
}

/** Asserts that a code to type that was asked for after a moment is told to live for three minutes. */
async function assertThreeMinutes(page: Page, begun: number): Promise<void> {
  const [, minutes, seconds] = /Vence en (\d):(\d\d)/.exec(await textOf(page)) ?? [];
  const off = Math.abs(Number(minutes) * 60 + Number(seconds) - 180);
  // A second more than has passed: the page sets its clock by the header `Date`, which has whole seconds.
  assert.ok(off <= (Date.now() - begun) / 1_000 + 1, `${minutes}:${seconds}`);
}

/** The visible text; the two groups of a code are joined. */
async function textOf(page: Page, selector = 'body'): Promise<string> {
  const text = await page.evaluate((at) => document.querySelector<HTMLElement>(at)?.innerText, selector);
  return text?.replace(/\s*\n(?=[A-Z0-9]{4}\b)/g, '') ?? '';
}

async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`, { visible: true });
  await button?.click();
}

/** The id of what has the focus. */
function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}

/** Reads the QR code from the runs of dark modules that it is drawn with. */
async function readQr(page: Page): Promise<string | undefined> {
  const drawn = await page.evaluate(() => {
    const svg = document.querySelector('#qr svg');
    const path = svg?.querySelectorAll('path')[1]?.getAttribute('d');
    return svg && path ? { size: Number(svg.getAttribute('viewBox')?.split(' ')[2]), path } : undefined;
  });
  if (!drawn) return undefined;
  const scale = 4;
  const side = drawn.size * scale;
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (const [, x, y, run] of drawn.path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const from = 4 * (row * side + Number(x) * scale);
      for (let i = from; i < from + 4 * Number(run) * scale; i += 1) if (i % 4 !== 3) pixels[i] = 0;
    }
  }
  return jsQR(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data;
}

/** What its script defines in the page. */
declare const axe: typeof import('axe-core');

async function axeProblems(page: Page, script: string): Promise<string[]> {
  await page.evaluate(script);
  return page.evaluate(async () => {
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(
      document,
      {
        runOnly,
        resultTypes: ['violations'],
      },
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

/** What is wider than the window, and controls that a finger misses. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : [];
    const small = [...document.querySelectorAll('button, .ways label')]
      .filter((control) => control.checkVisibility())
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ control }) => `${control.textContent} is too small`);
    return [...wide, ...small];
  });
}

/** Serves a gateway under `/whatsapp/`, as a proxy that removes the prefix does; returns its origin. */
async function strippingProxy(t: TestContext, target: string): Promise<string> {
  const { hostname, port } = new URL(target);
  const strip = (url = '') => url.replace(/^\/whatsapp/, '');
  // As nginx with `proxy_set_header Host`: the gateway compares it with the page's origin.
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith('/whatsapp/')) return void outgoing.writeHead(404).end();
    const { method, headers } = incoming;
    const passed = httpRequest({ hostname, port, path: strip(incoming.url), method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  server.on('upgrade', (incoming, near) => {
    const far = connect(Number(port), hostname, () => {
      const head = [`GET ${strip(incoming.url)} HTTP/1.1`];
      for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
        head.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
      }
      far.write(`${head.join('\r\n')}\r\n\r\n`);
      near.pipe(far).pipe(near);
    });
    for (const end of [near, far]) end.on('error', () => {});
  });
  return `http://127.0.0.1:${await listening(t, server)}`;
}
