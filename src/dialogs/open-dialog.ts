/** The dialog that is open. All but the first are about one session. */
export type OpenDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'delete' | 'code' | 'history'; readonly numero: string };

export type Open = (dialog: OpenDialog) => void;
