/**
 * Copies a text to the clipboard. Returns false where the browser does not allow it; then the element that shows the text
 * is selected, ready to be copied.
 *
 * @param button - has the focus and keeps it
 */
export async function copyText(text: string, shown: HTMLElement, button: HTMLElement): Promise<boolean> {
  const { ownerDocument } = shown;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard on plain HTTP, nor in a frame without the permission.
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
