import card from './card/card.css';
import forms from './card/forms.css';
import picture from './card/picture.css';
import state from './card/state.css';
import dialog from './dialogs/dialog.css';
import bar from './list/bar.css';
import rows from './list/rows.css';
import notices from './notices/notices.css';
import single from './single/single.css';
import elements from './ui/elements.css';
import layout from './ui/layout.css';
import print from './ui/print.css';
import tokens from './ui/tokens.css';

/** In the order of the cascade: the first sheet of a layer gives its place. */
const styles = [
  tokens,
  elements,
  layout,
  card,
  forms,
  picture,
  state,
  rows,
  bar,
  dialog,
  single,
  notices,
  print,
];

/**
 * To be called on each connection, since a root loses its sheets when another document adopts it. A strict `style-src` allows
 * it, since there is no `<style>`.
 */
export function adoptStyles(element: HTMLElement): void {
  const { ownerDocument, shadowRoot } = element;
  const view = ownerDocument.defaultView;
  if (!view || !shadowRoot || shadowRoot.adoptedStyleSheets.length > 0) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(styles.join(''));
  shadowRoot.adoptedStyleSheets = [sheet];
}
