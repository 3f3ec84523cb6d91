import card from './card/card.css';
import names from './card/names.css';
import outline from './card/outline.css';
import picture from './card/picture.css';
import qrCode from './card/qr-code.css';
import scanned from './card/scanned.css';
import selectBox from './card/select-box.css';
import sessionMenu from './card/session-menu.css';
import state from './card/state.css';
import testMessage from './card/test-message.css';
import codeDialog from './dialogs/code-dialog.css';
import dialog from './dialogs/dialog.css';
import history from './dialogs/history.css';
import linkDialog from './dialogs/link-dialog.css';
import numeroAdvice from './dialogs/numero-advice.css';
import pairing from './dialogs/pairing.css';
import shortcuts from './dialogs/shortcuts.css';
import bar from './list/bar.css';
import bulk from './list/bulk.css';
import rows from './list/rows.css';
import section from './list/section.css';
import alerts from './notices/alerts.css';
import notices from './notices/notices.css';
import controls from './ui/controls.css';
import layout from './ui/layout.css';
import print from './ui/print.css';
import tokens from './ui/tokens.css';

/** In the order of the cascade. */
const styles = [
  tokens,
  layout,
  controls,
  card,
  selectBox,
  sessionMenu,
  bar,
  bulk,
  rows,
  section,
  names,
  picture,
  scanned,
  state,
  testMessage,
  dialog,
  qrCode,
  codeDialog,
  numeroAdvice,
  history,
  linkDialog,
  pairing,
  shortcuts,
  alerts,
  notices,
  outline,
  print,
].join('');

/** A constructed sheet belongs to its document, and serves every panel there. */
const sheets = new WeakMap<Document, CSSStyleSheet>();

/**
 * Gives an element's shadow root the panel's style sheet. To be called on each connection, since a root loses its sheets
 * when another document adopts it. A strict `style-src` allows it, since there is no `<style>`.
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
