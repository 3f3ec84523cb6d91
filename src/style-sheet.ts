import bulk from './styles/bulk.css';
import card from './styles/card.css';
import code from './styles/code.css';
import controls from './styles/controls.css';
import dialog from './styles/dialog.css';
import finder from './styles/finder.css';
import history from './styles/history.css';
import layout from './styles/layout.css';
import notices from './styles/notices.css';
import numeroAdvice from './styles/numero-advice.css';
import picture from './styles/picture.css';
import state from './styles/state.css';
import testMessage from './styles/test-message.css';
import tokens from './styles/tokens.css';

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
