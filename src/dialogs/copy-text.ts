/**
 * Puts a text into the clipboard; false where the browser does not let it. Then the element that shows it is left
 * selected, for the reader to copy.
 *
 * @param button that has the focus, and keeps it.
 */
export async function copyText(text: string, shown: HTMLElement, button: HTMLElement): Promise<boolean> {
  const { ownerDocument } = shown;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard on plain http, and none for a frame that may not have it.
    const field = ownerDocument.createElement('textarea');
    field.className = 'visually-hidden';
    field.value = text;
    shown.after(field);
    field.select();
    const copied = ownerDocument.execCommand('copy');
    field.remove();
    button.focus();
    if (!copied) ownerDocument.getSelection()?.selectAllChildren(shown);
    return copied;
  }
}
