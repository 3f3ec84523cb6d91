import card from './card/card.css';
import picture from './card/picture.css';
import state from './card/state.css';
import testMessage from './card/test-message.css';
import code from './dialogs/code.css';
import dialog from './dialogs/dialog.css';
import history from './dialogs/history.css';
import numeroAdvice from './dialogs/numero-advice.css';
import bulk from './list/bulk.css';
import finder from './list/filter.css';
import notices from './notices/notices.css';
import controls from './ui/controls.css';
import layout from './ui/layout.css';
import tokens from './ui/tokens.css';

/** What comes later wins where two rules are equally specific. */
const styles = [
  tokens,
  layout,
  controls,
  card,
  finder,
  bulk,
  picture,
  state,
  testMessage,
  dialog,
  code,
  numeroAdvice,
  history,
  notices,
].join('');

/** One sheet per document: a constructed sheet belongs to its document, and serves every panel there. */
const sheets = new WeakMap<Document, CSSStyleSheet>();

/**
 * Gives an element's shadow root the panel's style. To be called on each connection, since a root that is adopted
 * by another document loses its sheets. No `<style>` is made, so a strict `style-src` has nothing to object to.
 */
export function adoptStyles(element: HTMLElement): void {
  const { ownerDocument, shadowRoot } = element;
  const view = ownerDocument.defaultView;
  if (!view || !shadowRoot) return;
  let sheet = sheets.get(ownerDocument);
  if (!sheet) {
    sheet = new view.CSSStyleSheet();
    sheet.replaceSync(styles);
    sheets.set(ownerDocument, sheet);
  }
  shadowRoot.adoptedStyleSheets = [sheet];
}
