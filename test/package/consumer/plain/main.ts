/** A page in TypeScript, without a framework. Compiled only, against the packed package. */
import {
  type Action,
  type Asks,
  type Credentials,
  type Labels,
  type NoticePosition,
  type PanelEventDetails,
  type PanelEventMap,
  RequestError,
  type Session,
  TAG,
  type Texts,
  type Token,
  version,
  WhatsappOperadoresElement,
} from 'whatsapp-operadores';

const panel = document.querySelector('whatsapp-operadores');
// @ts-expect-error: a page may have none
panel.refresh();
if (!panel) throw new Error(`no ${TAG} of version ${version}`);

const created: WhatsappOperadoresElement = document.createElement(TAG);
const instance: HTMLElement = new WhatsappOperadoresElement();
document.body.append(created, instance);

panel.addEventListener('wo-session-change', (event) => {
  const numero: string = event.detail.numero;
  const states: (string | undefined)[] = [event.detail.previousState, event.detail.state];
  // @ts-expect-error: there is none when the session has gone
  const state: string = event.detail.state;
  // @ts-expect-error: a page is told, it does not tell
  event.detail.numero = '';
  console.log(numero, states, state);
});
panel.addEventListener('wo-sessions', ({ detail }) => {
  const [first]: readonly Session[] = detail.sessions;
  const qrCode: string | undefined = first?.qrCode;
  const waiting: boolean | undefined = first?.waiting;
  // @ts-expect-error: the list is the panel's
  detail.sessions.push(first);
  console.log(qrCode, waiting);
});
panel.addEventListener('wo-error', ({ detail: { error, action } }) => {
  const message: string = error.message;
  const during: Action = action;
  if (error instanceof RequestError) {
    const status: number | undefined = error.status;
    const serverMessage: string | undefined = error.serverMessage;
    console.log(status, serverMessage);
  }
  // @ts-expect-error: no such action
  console.log(message, during, action === 'restart');
});
const listen = ({ detail }: PanelEventMap['wo-connection-change']) => {
  const connected: boolean = detail.connected;
  console.log(connected);
};
panel.addEventListener('wo-connection-change', listen, { once: true });
panel.removeEventListener('wo-connection-change', listen);
// @ts-expect-error: a listener of another event
panel.addEventListener('wo-sessions', listen);
// The browser's own events are as they were.
panel.addEventListener('click', (event) => console.log(event.clientX));

const asks: Asks = 'nothing';
const detail: PanelEventDetails['wo-session-change'] = {
  numero: '5491155550001',
  state: 'CONNECTED',
  previousState: undefined,
  asks,
  dropped: false,
};
console.log(detail);

const position: NoticePosition = 'bottom-left';
const credentials: Credentials = 'include';
const token: Token = async () => 'secret';
panel.apiBase = '/gateway/api';
panel.socketOrigin = 'https://gateway.example';
panel.credentials = credentials;
panel.token = token;
panel.token = 'secret';
panel.token = null;
const labels: Labels = { '5491155550001': { label: 'Ventas', group: 'Norte' }, '34600000001': {} };
panel.labels = labels;
panel.labels = null;
const texts: Texts = { es: 'pt-BR', 'Levantar Sesión': 'Iniciar sessão' };
panel.texts = texts;
panel.texts = null;
panel.provider = null;
panel.readOnly = true;
panel.readOnly = null;
panel.notificationTimeout = 0;
panel.notificationPosition = position;
const timeout: number = panel.notificationTimeout;
const provider: string = panel.provider;
console.log(timeout, provider);
// @ts-expect-error: a number of milliseconds
panel.notificationTimeout = '5000';
// @ts-expect-error: no such position
panel.notificationPosition = 'middle';
// @ts-expect-error: no such choice
panel.credentials = 'omit';
// @ts-expect-error: a token is a text
panel.token = () => 42;
// @ts-expect-error: a label is a text
panel.labels = { '5491155550001': { label: 7 } };
// @ts-expect-error: a sentence is a text
panel.texts = { Cancelar: 7 };
// @ts-expect-error: no sentence of the panel
panel.texts = { Cancela: 'Voltar' };
// @ts-expect-error: what renders is inside
panel.panel = undefined;

const refreshed: Promise<void> = panel.refresh();
// @ts-expect-error: it takes nothing
panel.refresh('now');
await refreshed;
