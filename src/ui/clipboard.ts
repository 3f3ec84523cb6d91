import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';

interface Telling {
  readonly t: Translate;
  readonly notify: (notice: { kind: 'positive'; text: string; replaceKey: string }) => void;
}

/**
 * Copies a text to the clipboard. Returns false where the browser does not allow it; then the element that shows the text
 * is selected, ready to be copied.
 *
 * @param button - has the focus and keeps it
 */
export async function copyText(
  text: string,
  shown: HTMLElement | null,
  button: HTMLElement,
): Promise<boolean> {
  const { ownerDocument } = button;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard on plain HTTP, nor in a frame without the permission.
    const field = ownerDocument.createElement('textarea');
    field.className = 'visually-hidden';
    field.value = text;
    button.after(field);
    field.select();
    const isCopied = ownerDocument.execCommand('copy');
    field.remove();
    button.focus();
    if (!isCopied && shown) ownerDocument.getSelection()?.selectAllChildren(shown);
    return isCopied;
  }
}

/** Copies a text to the clipboard, or selects it where it is shown, and says which in a notice: see {@link copyText}. */
export async function copyWithNotice(
  { notify, t }: Telling,
  ...copied: Parameters<typeof copyText>
): Promise<void> {
  const isCopied = await copyText(...copied);
  notify({ kind: 'positive', text: t(isCopied ? texts.copied : texts.notCopied), replaceKey: 'copy' });
}
