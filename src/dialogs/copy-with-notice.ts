import type { Store } from '../store/store.ts';
import * as texts from '../texts.ts';
import { copyText } from './copy-text.ts';

/** Copies a text to the clipboard, or selects it where it is shown, and says which in a notice: see {@link copyText}. */
export async function copyWithNotice(
  { notify, t }: Store,
  ...copied: Parameters<typeof copyText>
): Promise<void> {
  const isCopied = await copyText(...copied);
  notify('positive', t(isCopied ? texts.copied : texts.notCopied), 'copy');
}
