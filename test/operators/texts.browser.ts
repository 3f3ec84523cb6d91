import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { scenes } from '../accessibility/scenes.ts';
import { holdClipboard, releaseClipboard } from '../support/clipboard.ts';
import { consoleErrors } from '../support/console.ts';
import { click, fill, press } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';
import { SENTENCES } from '../support/sentences.ts';

/** A sentence in brackets, which leave its values outside: those are data, or sentences with brackets of their own. */
const bracketed = (sentence: string) =>
  sentence.replace(/(\{\d\})|[^{]+/g, (words, value) => value ?? `⟦${words}⟧`);

/** Texts that show of each word whether it went through them. */
const PSEUDO = {
  ...Object.fromEntries(SENTENCES.map((sentence) => [sentence, bracketed(sentence)])),
  es: 'es',
};

/** What is said once, as it happens, and stays in the words of that moment. */
const SAID = '.notice-lines, .ending, .failure, .history-begin, .visually-hidden, .empty > p:nth-of-type(2)';

/** What is no sentence of the panel. */
const DATA = new RegExp(
  [
    // Names, of which the gateway makes up some.
    'WhatsApp Operadores',
    String.raw`\p{L}+ (Norte|Centro|Sur|Este|Oeste|Costa|Puerto)`,
    String.raw`Cobranza\p{L}+|Ventas|Sucursales del norte y del centro de la república`,
    // What servers say, and links.
    'WhatsApp cerró la sesión|Restringida por WhatsApp: puede responder, pero no iniciar chats nuevos',
    String.raw`No usa WhatsApp|No hay memoria|Compara este código: \d+|proxy\.example`,
    String.raw`https?:\S+`,
    // Dates, state texts, and codes.
    String.raw`\d+ \p{L}+ \d{4}|hoy|ayer|\p{L}+, \d+ de \p{L}+ de \d{4}`,
    String.raw`[\p{Lu}_]{2,}`,
  ].join('|'),
  'gu',
);

/** The texts of a panel that have letters outside the brackets, and are no data. */
function strays(panel: Panel, except = 'style'): string[] {
  const elements = [...panel.root.querySelectorAll<HTMLElement | SVGElement>('*')];
  return elements
    .filter((element) => !element.closest(except))
    .flatMap((element) => [
      ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ...Array.from(element.childNodes, (node) => (node instanceof Text ? node.data : '')),
    ])
    .filter((text) => /\p{L}/u.test(text.replace(/⟦[^⟧]*⟧/g, '').replace(DATA, '')));
}

describe('every word that is shown can be replaced', () => {
  // The words of an open question stay as they were.
  const { 'the dialog that deletes': _, ...others } = scenes;
  for (const [name, show] of Object.entries(others)) {
    it(`in ${name}`, async () => {
      const panel = await show();
      panel.element.texts = PSEUDO;
      await panel.find('region', new RegExp(bracketed('Administrador de Whatsapp Operadores')));
      await panel.settled();
      expect(strays(panel, `style, ${SAID}`)).to.deep.equal([]);
    });
  }
});

describe('what is said is said in the words of the page', () => {
  const DOWN = '5491155550000';
  const UP = '5491155550001';
  const said = (sentence: string, value: string) => bracketed(sentence).replace('{0}', value);
  const notices = (panel: Panel) =>
    Array.from(panel.root.querySelectorAll('.notice-text'), ({ textContent }) => textContent);
  const toSay = (panel: Panel, text: string) => waitFor(() => expect(panel.text).to.include(text));

  async function open(count = 2) {
    const sessions = Array.from({ length: count }, (_, index) => ({
      numero: String(Number(DOWN) + index),
      state: index === 0 ? ('disconnected' as const) : ('connected' as const),
    }));
    const { gateway, panel } = await openPanel({ sessions }, { 'notification-timeout': '0' });
    panel.element.texts = PSEUDO;
    await toSay(panel, bracketed('Administrador de Whatsapp Operadores'));
    return { gateway, panel };
  }

  const START = { method: 'GET', path: '/api/session/levanta/*', times: 1 };
  const failures: readonly [what: string, answer: object, words: string][] = [
    ['an error of the server', { status: 503, json: { message: 'No hay memoria.' } }, ': No hay memoria.'],
    ['a missing sign-in', { status: 401 }, bracketed('debes iniciar sesión de nuevo')],
    [
      'a page',
      { headers: { 'content-type': 'text/html' }, body: '<p>' },
      bracketed('El servidor respondió con una página web; tal vez tengas que iniciar sesión de nuevo.'),
    ],
    ['no JSON', { body: 'x' }, bracketed('El servidor respondió con datos que el panel no entiende.')],
  ];
  for (const [what, answer, words] of failures) {
    it(`of a start that was answered by ${what}`, async () => {
      consoleErrors();
      const { gateway, panel } = await open();
      await gateway.answer(START, answer);
      await click(panel.button(bracketed('Levantar Sesión'), await panel.card(DOWN)));
      await waitFor(() => expect(notices(panel).join()).to.include(words));
      await waitFor(() => expect(panel.root.querySelector('.advice .failure')).to.be.ok);
      expect(strays(panel)).to.deep.equal([]);
    });
  }

  it('of an addition that was refused, and of one that began', async () => {
    consoleErrors();
    const { gateway, panel } = await open();
    await gateway.answer(START, { status: 503 });
    await click(panel.button(bracketed('Agregar una nueva sesión')));
    const dialog = await panel.openDialog();
    await fill(panel.textbox(bracketed('Número de teléfono'), dialog), '34600000001');
    await press('Enter');
    await toSay(panel, said('No se pudo levantar: {0}', bracketed('El servidor tuvo un error')));
    expect(strays(panel)).to.deep.equal([]);
    await press('Enter');
    await toSay(panel, said('La sesión de {0} comenzará a levantarse', '34600000001'));
    expect(strays(panel)).to.deep.equal([]);
  });

  it('of messages, and of a deletion', async () => {
    consoleErrors();
    const { panel } = await open();
    const card = await panel.card(UP);
    const to = panel.textbox(bracketed('Número'), card);
    const endsWith = (words: string) =>
      waitFor(() => expect(card.querySelector('.ending')?.textContent).to.include(words));
    await fill(to, '3460/1');
    await press('Enter');
    await endsWith(bracketed('Escribe solo dígitos, con el código de país.'));
    expect(strays(panel)).to.deep.equal([]);
    await fill(panel.textbox(bracketed('Mensaje de Prueba'), card), 'Hola');
    await fill(to, '34600000001');
    await press('Enter');
    await endsWith(bracketed('Entregado'));
    await click(panel.button(bracketed('Eliminar Sesión'), card));
    await click(panel.button(bracketed('Eliminar'), await panel.openDialog()));
    await toSay(panel, said('La sesión de {0} ha sido eliminada', UP));
    expect(strays(panel)).to.deep.equal([]);
  });

  it('of what could not be had, and of what was copied', async () => {
    consoleErrors();
    const { gateway, panel } = await open();
    await gateway.answer({ method: 'GET', path: `/api/session/${DOWN}/history` }, { status: 500 });
    await click(panel.button(said('Historial de {0}', DOWN)));
    const dialog = await panel.openDialog();
    await panel.find('button', bracketed('Reintentar'), dialog);
    await holdClipboard();
    await click(panel.button(bracketed('Copiar'), dialog));
    await toSay(panel, bracketed('Copiado'));
    await releaseClipboard();
    expect(strays(panel)).to.deep.equal([]);
    await press('Escape');
    await gateway.answer({ method: 'POST', path: `/api/session/${DOWN}/link` }, { status: 500 });
    await click(panel.button(said('Más acciones de {0}', DOWN)));
    await click(await panel.find('menuitem', bracketed('Enviar enlace')));
    await panel.find('button', bracketed('Reintentar'), await panel.openDialog());
    expect(strays(panel)).to.deep.equal([]);
  });

  it('of a question', async () => {
    const { panel } = await open();
    await click(panel.button(bracketed('Eliminar Sesión'), await panel.card(UP)));
    await panel.openDialog();
    expect(strays(panel)).to.deep.equal([]);
  });

  it('of many changes, of a bulk start, and of a server that has gone', async () => {
    consoleErrors();
    const { gateway, panel } = await open(12);
    await gateway.pushAll(
      Array.from({ length: 8 }, (_, index) => [
        'session:change_state',
        { numero: String(Number(UP) + index), state: 'TIMEOUT' },
      ]),
    );
    await toSay(panel, said('{0} sesiones cambiaron de estado; se cayeron: {1}', '8').replace('{1}', '8'));
    await gateway.answer(START, { status: 503 });
    await click(panel.get('checkbox', said('Seleccionar {0}', DOWN)));
    await click(panel.button(/Levantar \(/));
    await toSay(panel, said('{0} falló', '1'));
    expect(strays(panel)).to.deep.equal([]);
    await gateway.stop();
    await panel.element.refresh();
    await toSay(panel, bracketed('Network Error'));
    expect(strays(panel)).to.deep.equal([]);
  });
});
