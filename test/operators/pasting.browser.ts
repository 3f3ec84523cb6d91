import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { copy, holdClipboard } from '../support/clipboard.ts';
import { chord, click, press, type } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

describe('a text for the field of a new number', () => {
  let panel: Panel;
  let dialog: HTMLDialogElement;
  let input: HTMLInputElement;

  beforeEach(async () => {
    ({ panel } = await openPanel({ sessions: 0 }));
  });
  beforeEach(holdClipboard);

  /** After the text is copied, which needs the focus. */
  async function open() {
    dialog = await panel.openAddDialog();
    input = panel.textbox(/teléfono/, dialog);
  }

  /** The description of the field. */
  const advice = () =>
    panel.root.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
  const toRead = (words: string) => waitFor(() => expect(advice()).to.include(words));

  it('becomes digits when it is pasted, which can be undone', async () => {
    await copy('+54 9 11 2233-4455');
    await open();
    await chord('Control', 'v');
    expect(input.value).to.equal('5491122334455');
    expect(panel.button('Agregar', dialog).disabled).to.equal(false);
    expect(advice()).not.to.include('No caben');
    // The keyboard of WebKitGTK's driver undoes nothing, not even in a plain field.
    if (isWebKit) document.execCommand('undo');
    else await chord('Control', 'z');
    expect(input.value).to.equal('');
  });

  it('that is pasted without a number stays as it is', async () => {
    await copy('una-sesión-larga');
    await open();
    await chord('Control', 'v');
    expect(input.value).to.equal('una-sesión-la');
    await toRead('No caben más de 13 caracteres: revisa el número.');
  });

  it('that is pasted replaces the selection, and the caret follows it', async () => {
    await copy('22-33');
    await open();
    await type('54911XX4455');
    input.setSelectionRange(5, 7);
    await chord('Control', 'v');
    expect(input.value).to.equal('5491122334455');
    expect(input.selectionStart).to.equal(9);
  });

  it('that is pasted is cut where it has too many digits, with a hint', async () => {
    await copy('+34 612 34 56 78 / 90 12 34');
    await open();
    await chord('Control', 'v');
    expect(input.value).to.equal('3461234567890');
    await toRead('No caben más de 13 caracteres: revisa el número.');
    await press('Backspace');
    await waitFor(() => expect(advice()).not.to.include('No caben'));
  });

  it('that is filled in loses the marks that nobody sees', async () => {
    await open();
    // As a browser or an extension fills a field.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
      input,
      '\u200e549\u200b1122\u00ad33\u206044\u202c55\ufeff',
    );
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await waitFor(() => expect(input.value).to.equal('5491122334455'));
    await click(panel.button('Agregar', dialog));
    await panel.notice('La sesión de 5491122334455 comenzará a levantarse');
  });
});
