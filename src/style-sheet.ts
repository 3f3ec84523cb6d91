import card from './card/card.css';
import forms from './card/forms.css';
import picture from './card/picture.css';
import state from './card/state.css';
import codeDialog from './dialogs/code-dialog.css';
import dialog from './dialogs/dialog.css';
import bar from './list/bar.css';
import bulk from './list/bulk.css';
import rows from './list/rows.css';
import notices from './notices/notices.css';
import elements from './ui/elements.css';
import layout from './ui/layout.css';
import print from './ui/print.css';
import tokens from './ui/tokens.css';

/** The order of the cascade. Each sheet names its layer, so the order of the sheets does not matter. */
const LAYERS = '@layer tokens,elements,card,rows,bar,dialog,notices,print;';

// Similar sheets beside each other: gzip finds more to share.
const styles = [
  LAYERS,
  notices,
  rows,
  dialog,
  bulk,
  forms,
  layout,
  codeDialog,
  bar,
  state,
  picture,
  elements,
  print,
  card,
  tokens,
].join('');

/**
 * Gives an element's shadow root the panel's style sheet. To be called on each connection, since a root loses its sheets
 * when another document adopts it. A strict `style-src` allows it, since there is no `<style>`.
 */
export function adoptStyles(element: HTMLElement): void {
  const { ownerDocument, shadowRoot } = element;
  const view = ownerDocument.defaultView;
  if (!view || !shadowRoot || shadowRoot.adoptedStyleSheets.length > 0) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(styles);
  shadowRoot.adoptedStyleSheets = [sheet];
}
