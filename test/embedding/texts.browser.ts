import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { Texts } from '../../src/texts/translate.ts';
import type { WireSession } from '../../src/wire.ts';
import { consoleErrors } from '../support/console.ts';
import { startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mountReady, openPanel, type Panel } from '../support/panel.ts';
import { startPlain } from '../support/plain.ts';

const NUMERO = '5491155550001';
const connected: WireSession = { numero: NUMERO, state: 'CONNECTED', waiting: false };
const PORTUGUESE: Texts = {
  es: 'pt-BR',
  'Sesiones activas': 'Sessões ativas',
  'Levantar Sesión': 'Iniciar sessão',
  'Número de teléfono': 'Número de telefone',
  'Mensaje de Prueba': 'Mensagem de teste',
  'Abrir {0}': 'Abrir o {0}',
  Cancelar: 'Voltar',
  Eliminar: 'Excluir',
  '¿Estas seguro de eliminar la sesión de {0}?': 'Excluir a sessão de {0}?',
  'Interrumpirás la conexión y deberás escanear nuevamente el QR': 'A conexão cairá.',
  'El servidor tuvo un error': 'O servidor teve um erro',
  'Request failed with status code {0}': 'Erro {0}',
};

const shows = (panel: Panel, text: string) => waitFor(() => expect(panel.text).to.include(text));
const language = (panel: Panel) => panel.root.querySelector('section')?.lang;

describe("the page's texts", () => {
  it('are shown from when they are set until they are removed, in the language that they name', async () => {
    const panel = await (await startPlain([connected])).mount();
    await shows(panel, 'Sesiones activas');
    expect(panel.element.texts).to.equal(undefined);
    expect(language(panel)).to.equal('es');
    panel.element.texts = PORTUGUESE;
    await shows(panel, 'Sessões ativas');
    await panel.find('button', 'Iniciar sessão');
    await panel.find('button', 'Eliminar Sesión');
    expect(panel.text).not.to.include('Levantar Sesión');
    expect(panel.element.texts).to.equal(PORTUGUESE);
    expect(language(panel)).to.equal('pt-BR');
    panel.element.texts = null;
    await shows(panel, 'Sesiones activas');
    await panel.find('button', 'Levantar Sesión');
    expect(panel.text).not.to.include('Sessões');
    expect(panel.element.texts).to.equal(undefined);
    expect(language(panel)).to.equal('es');
  });

  it('change what is on the screen and nothing else: not the list, its rows, the connection, or what is typed', async () => {
    const sessions = Array.from({ length: 60 }, (_, index) => ({
      numero: String(Number(NUMERO) + index),
      state: 'connected' as const,
    }));
    const { gateway, panel } = await openPanel({ sessions, extensions: [] }, { view: 'list' });
    await click(panel.button(`Abrir ${NUMERO}`));
    await fill(await waitFor(() => panel.textbox('Mensaje de Prueba')), 'Hola');
    const dialog = await panel.openAddDialog();
    await fill(panel.textbox('Número de teléfono', dialog), '52155');
    const rows = panel.all('article');
    const requests = (await gateway.requests()).length;

    panel.element.texts = PORTUGUESE;
    const field = await waitFor(() => panel.textbox('Número de telefone', dialog));
    expect(field.value).to.equal('52155');
    expect(panel.focused).to.equal(field);
    expect(panel.button('Voltar', dialog)).to.be.ok;
    const openers = Array.from(panel.root.querySelectorAll('article button'), ({ ariaLabel }) => ariaLabel);
    expect(openers.filter((name) => name?.startsWith('Abrir o '))).to.have.length(60);
    expect(openers.filter((name) => /^Abrir \d/.test(name ?? ''))).to.deep.equal([]);
    expect(panel.root.querySelectorAll('[data-outline]').length).to.be.greaterThan(0);
    expect(panel.all('article')).to.deep.equal(rows);
    await click(panel.button('Voltar', dialog));
    expect(panel.textbox('Mensagem de teste').value).to.equal('Hola');
    expect(await gateway.requests()).to.have.length(requests);
    expect(await gateway.handshakes()).to.have.length(1);
  });

  it('may leave out the numero: a dialog still has the name of its session', async () => {
    const panel = await (await startPlain([connected])).mount();
    panel.element.labels = { [NUMERO]: { label: 'Caja 2' } };
    panel.element.texts = { '¿Estas seguro de eliminar la sesión de {0}?': '¿Eliminar esta línea?' };
    await panel.find('heading', /Caja 2/);
    await click(panel.button('Eliminar Sesión'));
    const dialog = await panel.openDialog();
    expect(dialog.textContent).to.include('¿Eliminar esta línea?').and.include('Caja 2');
  });

  it('are what is said of a failure', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    panel.element.texts = PORTUGUESE;
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { status: 503 });
    const failed = new Promise<Error>((resolve) =>
      panel.element.addEventListener('wo-error', ({ detail }) => resolve(detail.error), { once: true }),
    );
    await click(await panel.find('button', 'Iniciar sessão'));
    const notice = await panel.notice('Erro 503');
    expect(notice.textContent).to.include('O servidor teve um erro');
    expect((await failed).message).to.equal('Erro 503');
  });

  it('stay when the panel joins another server, or is moved', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: '34600000001', state: 'connected' }] });
    panel.element.texts = PORTUGUESE;
    const server = await startPlain([connected]);
    panel.element.apiBase = `${server.url}/api`;
    panel.element.socketOrigin = server.url;
    await panel.card(NUMERO);
    await shows(panel, 'Sessões ativas');
    const place = document.createElement('div');
    document.body.append(place);
    panel.element.remove();
    await waitFor(() => expect(panel.text).to.equal(''));
    place.append(panel.element);
    await panel.card(NUMERO);
    await shows(panel, 'Sessões ativas');
    place.remove();
    await gateway.stop();
  });

  it('of two panels on a page are two', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const [one, other] = [await mountReady(gateway), await mountReady(gateway)];
    one.element.texts = PORTUGUESE;
    other.element.texts = { es: 'en', 'Sesiones activas': 'Active sessions' };
    await shows(one, 'Sessões ativas');
    await shows(other, 'Active sessions');
    expect(other.text).to.include('Levantar Sesión').and.not.to.include('Sessões');
    expect(one.text).not.to.include('Levantar Sesión');
    expect([language(one), language(other)]).to.deep.equal(['pt-BR', 'en']);
    other.element.texts = null;
    await shows(other, 'Sesiones activas');
    await shows(one, 'Sessões ativas');
  });

  for (const [what, texts] of [
    ['in no language', { ...PORTUGUESE, es: 'pt_BR', 'Sesiones activas': 'x' }],
    [
      'that throw when they are read',
      {
        get 'Sesiones activas'(): string {
          throw new Error('no');
        },
      },
    ],
  ] as const) {
    it(`${what} are logged, and leave the ones before`, async () => {
      const errors = consoleErrors();
      const panel = await (await startPlain([connected])).mount();
      panel.element.texts = PORTUGUESE;
      await shows(panel, 'Sessões ativas');
      panel.element.texts = texts;
      expect(panel.element.texts).to.equal(PORTUGUESE);
      expect(errors()).to.have.length(1);
      expect(errors()[0]).to.match(/texts cannot be read/);
      // What was to be rendered would be by then.
      await panel.element.refresh();
      expect(panel.text).to.include('Sessões ativas');
      expect(language(panel)).to.equal('pt-BR');
    });
  }
});
