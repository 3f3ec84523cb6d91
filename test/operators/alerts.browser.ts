import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { existing, mount, mountReady, openPanel, type Panel } from '../support/panel.ts';

const [FIRST, SECOND, THIRD] = ['5491155550001', '5491155550002', '5491155550003'] as const;
const sessions = [FIRST, SECOND, THIRD].map((numero) => ({ numero, state: 'connected' as const }));
/** The simulated accounts have names. */
const drops = (numero: string) => new RegExp(`Se cayó .+ ${numero}: DESCONECTADO`);
const TITLE = 'Intranet (3) ';

/** The title as it is read: the panel's number ends with a no-break space. */
const title = () => document.title.replace('\u00a0', ' ');
const showsTitle = (text: string) => waitFor(() => expect(title()).to.equal(text.trim()));

const restore: (() => void)[] = [];

/** Replaces the page's notifications until the end of the test. */
function stub(value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(window, 'Notification');
  Object.defineProperty(window, 'Notification', { configurable: true, value });
  restore.push(() => {
    if (before) Object.defineProperty(window, 'Notification', before);
  });
}

/** Records the notifications; the person answers the question for permission like this. */
function stubNotifications(answer: NotificationPermission) {
  const shown: { text: string; tag: string | undefined; onclick?: () => void }[] = [];
  let questions = 0;
  class Stub {
    static permission: NotificationPermission = 'default';
    static async requestPermission() {
      questions += 1;
      Stub.permission = answer;
      return answer;
    }
    onclick?: () => void;
    readonly text: string;
    readonly tag: string | undefined;
    constructor(text: string, options?: NotificationOptions) {
      this.text = text;
      this.tag = options?.tag;
      shown.push(this);
    }
    close() {
      shown.splice(shown.indexOf(this), 1);
    }
  }
  stub(Stub);
  return { shown, questions: () => questions };
}

describe('alerts', () => {
  let before: string;
  beforeEach(() => {
    before = document.title;
    document.title = TITLE;
  });
  afterEach(() => {
    document.title = before;
    for (const task of restore.splice(0)) task();
  });

  const open = (alerts: string | null) => openPanel({ sessions }, { alerts });
  const drop = (gateway: Gateway, ...numeros: string[]) =>
    gateway.pushAll(numeros.map((numero) => [`session:disconnected:${numero}`]));
  const shows = (panel: Panel, count: number) =>
    waitFor(() => expect(panel.text.match(/Se cayó a las/g) ?? []).to.have.length(count));

  it('are none by default', async () => {
    const { shown, questions } = stubNotifications('granted');
    const { gateway, panel } = await open(null);
    await drop(gateway, FIRST);
    await waitFor(() => expect(panel.text).to.match(drops(FIRST)));
    expect(panel.all('button', 'Avisarme en el escritorio')).to.deep.equal([]);
    expect([title(), shown, questions()]).to.deep.equal([TITLE.trim(), [], 0]);
  });

  describe('in the title', () => {
    it('say how many fell, until they are back or the panel leaves', async () => {
      const { gateway, panel } = await open('title');
      expect(title()).to.equal(TITLE.trim());
      await drop(gateway, FIRST, SECOND);
      await showsTitle(`(2) ${TITLE}`);
      await gateway.push(`session:ready:${FIRST}`);
      await showsTitle(`(1) ${TITLE}`);
      panel.element.remove();
      await showsTitle(TITLE);
    });

    it('follow a page that changes its title, or its mind about what was there', async () => {
      const { gateway, panel } = await open('title');
      await drop(gateway, FIRST);
      await showsTitle(`(1) ${TITLE}`);
      const old = document.title;
      document.title = '(1) Correo';
      await showsTitle('(1) (1) Correo');
      document.title = old;
      await gateway.push(`session:ready:${FIRST}`);
      await showsTitle(TITLE);
      document.title = old;
      await showsTitle(TITLE);
      panel.element.alerts = null;
      document.title = '(2) Correo';
      await drop(gateway, FIRST);
      await shows(panel, 1);
      expect(title()).to.equal('(2) Correo');
    });

    it('are one number for all panels of the page', async () => {
      const { gateway, panel } = await open('title');
      const other = await mountReady(gateway, { alerts: 'title' });
      await drop(gateway, FIRST);
      await showsTitle(`(2) ${TITLE}`);
      other.element.remove();
      await showsTitle(`(1) ${TITLE}`);
      document.title = TITLE;
      await showsTitle(`(1) ${TITLE}`);
      panel.element.remove();
      await showsTitle(TITLE);
    });
  });

  describe('on the desktop', () => {
    it('come after the operator allowed them by the button, each in place of the one before', async () => {
      const { shown, questions } = stubNotifications('granted');
      const { gateway, panel } = await open('notification');
      const button = await panel.find('button', 'Avisarme en el escritorio');
      const heading = panel.get('heading', 'Sesiones activas');
      const { top, height } = heading.getBoundingClientRect();
      await drop(gateway, FIRST);
      await shows(panel, 1);
      expect(questions()).to.equal(0);
      await click(button);
      await waitFor(() => expect(panel.all('button', 'Avisarme en el escritorio')).to.deep.equal([]));
      expect(panel.focused).to.equal(heading);
      expect(heading.getBoundingClientRect()).to.include({ top, height });
      await gateway.push(`session:ready:${FIRST}`);
      await shows(panel, 0);
      const before = shown.length;
      const since = () => shown.slice(before);
      await drop(gateway, SECOND);
      await waitFor(() => expect(since()).to.have.length(1));
      await drop(gateway, FIRST, THIRD);
      await waitFor(() => expect(since()).to.have.length(2));
      const [first, second] = since();
      expect(first?.text).to.match(drops(SECOND));
      expect(second?.text).to.equal('Se cayeron 3');
      expect(first?.tag).to.equal(second?.tag);
      existing(first?.onclick)();
      expect(since()).to.deep.equal([second]);
    });

    it('come though the page changes which it wants meanwhile', async () => {
      const { shown } = stubNotifications('granted');
      const { gateway, panel } = await open('notification');
      await click(await panel.find('button', 'Avisarme en el escritorio'));
      await drop(gateway, FIRST);
      await shows(panel, 1);
      panel.element.alerts = 'notification title';
      await waitFor(() => expect(panel.text).to.match(drops(FIRST)));
      expect(shown).to.have.length(1);
    });

    it('are logged where the browser refuses them, and the panel goes on', async () => {
      const errors = consoleErrors();
      class Refusing {
        static readonly permission = 'granted';
        constructor() {
          throw new TypeError('Illegal constructor');
        }
      }
      stub(Refusing);
      const { gateway, panel } = await open('notification');
      await drop(gateway, FIRST);
      await waitFor(() => expect(errors().join()).to.include('Illegal constructor'));
      await drop(gateway, SECOND);
      await shows(panel, 2);
    });

    it('never come where the operator denied them', async () => {
      const { shown } = stubNotifications('denied');
      const { gateway, panel } = await open('notification');
      await click(await panel.find('button', 'Avisarme en el escritorio'));
      await waitFor(() => expect(panel.all('button', 'Avisarme en el escritorio')).to.deep.equal([]));
      await drop(gateway, FIRST);
      await waitFor(() => expect(panel.text).to.match(drops(FIRST)));
      expect(shown).to.deep.equal([]);
    });
  });
});

describe('the connection notice', () => {
  const NOTICE =
    /Sin conexión con el servidor desde las \d\d:\d\d\. Lo que ves puede haber cambiado\. Reintentando…/;

  it('says since when the live connection is away, after five seconds, until it is back', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions }, { 'connection-notice': '' });
    const card = await panel.card(FIRST);
    const look = () => getComputedStyle(existing(card.parentElement)).filter;
    expect(look()).to.equal('none');
    await gateway.stop();
    jumpAhead(5000);
    await waitFor(() => expect(panel.text).to.match(NOTICE));
    const line = existing(panel.all('status').find(({ textContent }) => NOTICE.test(textContent)));
    expect(line.closest('.bar')).to.be.ok;
    expect(line.getBoundingClientRect().bottom).to.be.at.most(card.getBoundingClientRect().top);
    expect(look(), 'grey').to.equal('grayscale(1)');
    await gateway.restart({ sessions });
    await waitFor(() => expect(panel.text).not.to.match(NOTICE));
    await waitFor(() => expect(look()).to.equal('none'));
  });

  it('comes too where there never was a connection', async () => {
    consoleErrors();
    const panel = await mount(undefined, { 'connection-notice': '', 'socket-origin': 'http://127.0.0.1:9' });
    await waitFor(() => expect(panel.root.querySelector('.main')).to.exist);
    jumpAhead(5000);
    await waitFor(() => expect(panel.text).to.match(NOTICE));
  });

  it('does not come by default', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions });
    const other = await mountReady(gateway, { 'connection-notice': '' });
    await gateway.stop();
    jumpAhead(6000);
    await waitFor(() => expect(other.text).to.match(NOTICE));
    expect(panel.text).not.to.match(NOTICE);
  });
});

describe('by what the server tells people', () => {
  const WORDS = 'Se avisa por webhook y WhatsApp';
  const announcement = { extensions: [], notifies: 'webhook y WhatsApp' };

  it('is said beside the heading, until an announcement without it', async () => {
    const { gateway, panel } = await openPanel({ sessions: [] });
    const box = existing(panel.root.querySelector('.empty'));
    const { top } = box.getBoundingClientRect();
    expect(panel.text).not.to.include('Se avisa por');
    await gateway.push('server:extensions', announcement);
    await waitFor(() => expect(panel.text).to.include(WORDS));
    expect(panel.text).to.include('No hay sesiones activas');
    expect(box.getBoundingClientRect().top, 'in the line of the heading').to.equal(top);
    const { bottom } = panel.get('heading', 'Sesiones activas').getBoundingClientRect();
    expect(top - bottom, 'the room below the heading').to.be.within(12, 20);
    expect(panel.all('status').map(({ textContent }) => textContent)).not.to.include(WORDS);
    await gateway.push('server:extensions', { extensions: [] });
    await waitFor(() => expect(panel.text).not.to.include('Se avisa por'));
  });
});
