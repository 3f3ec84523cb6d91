/** A page that defines a tag of its own. Compiled only, against the packed package. */
import { RequestError, type Session, version, WhatsappOperadoresElement } from 'whatsapp-operadores/element';

class Panel extends WhatsappOperadoresElement {
  override connectedCallback(): void {
    this.provider = `Empresa ${version}`;
    super.connectedCallback();
  }
}
customElements.define('mi-panel', Panel);

const panel = new Panel();
panel.addEventListener('wo-sessions', ({ detail }) => {
  const sessions: readonly Session[] = detail.sessions;
  console.log(sessions);
});
panel.addEventListener('wo-error', ({ detail: { error } }) => {
  if (error instanceof RequestError) console.log(error.status);
});
document.addEventListener('wo-connection-change', ({ detail }) => console.log(detail.connected));
document.body.append(panel);

const other = document.createElement('whatsapp-operadores');
// @ts-expect-error: nothing defines that tag
await other.refresh();
