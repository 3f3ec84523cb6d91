const DONE_MS = 2_500;

const texts = {
  copy: 'Copiar',
  copied: 'Copiado',
  copiedLong: 'Código copiado',
  selected: 'Está seleccionado: cópialo con el teclado.',
};

/**
 * Makes the button copy the text of an element, and say so for a moment.
 *
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} label - What the button says.
 * @param {HTMLElement} status - What screen readers hear.
 * @param {HTMLElement} source
 */
export function startCopyButton(button, label, status, source) {
  let timer;

  const say = (isDone) => {
    button.toggleAttribute('data-done', isDone);
    label.textContent = isDone ? texts.copied : texts.copy;
    status.textContent = isDone ? texts.copiedLong : '';
  };

  button.addEventListener('click', async () => {
    clearTimeout(timer);
    try {
      // There is no clipboard on a page that came without TLS from another machine.
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      getSelection().selectAllChildren(source);
      status.textContent = texts.selected;
      return;
    }
    say(true);
    timer = setTimeout(() => say(false), DONE_MS);
  });
}
