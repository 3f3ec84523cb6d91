import { html } from './dom.js';
import { Drawer } from './drawer.js';
import { follow } from './feed.js';
import { PhoneAnnouncer } from './phone-announcer.js';
import { PhoneList } from './phone-list.js';
import { ActionRefused, tell } from './simulator.js';
import { PhoneStore } from './store.js';
import { texts } from './texts.js';

/** Adds the drawer to the page and keeps it up to date. */
export function openWorkbench(phones) {
  const store = new PhoneStore();
  const announcer = new PhoneAnnouncer();
  const lost = html('p', { class: 'drawer-lost', role: 'status' });
  /** A phone that changed while the drawer was closed. */
  let unseen;

  const drawer = new Drawer(document.querySelectorAll('main, .front'), () => {
    if (unseen !== undefined) list.reveal(unseen);
    unseen = undefined;
  });
  drawer.body.append(html('p', { class: 'drawer-intro', text: texts.intro }), lost, announcer.element);
  const list = new PhoneList(store, act, drawer.body);

  /** Runs the action of a control, and returns the sentence of a refusal. */
  async function act(action, numero, value) {
    try {
      await ACTIONS[action](numero, store, value);
      return undefined;
    } catch (error) {
      const sentence = error instanceof ActionRefused ? error.message : texts.failed;
      announcer.say(sentence);
      return sentence;
    }
  }

  /** Shows the phone of a change in the panel, unless the person is busy with another one. */
  function reveal(numero) {
    if (!drawer.isOpen) unseen = numero;
    else if (!drawer.body.matches(':hover, :focus-within')) list.reveal(numero);
  }

  store.subscribe({
    changed(phone, before, live) {
      list.update(phone.numero);
      if (!live) return;
      const message = newMessage(phone, before);
      if (message) announcer.message(phone.numero, message.text);
      const begun = phone.state === 'starting' && before?.state !== 'starting';
      if (!before || message || begun) reveal(phone.numero);
    },
    removed: (numero) => list.remove(numero),
  });

  store.replaceAll(phones);
  drawer.attach();
  // With the phone that a person can try at once.
  const first = phones.find(({ code }) => code !== null);
  if (drawer.isOpen && first) list.begin(first.numero);
  else unseen = first?.numero;
  follow(store, (connected) => {
    drawer.element.toggleAttribute('data-lost', !connected);
    lost.textContent = connected ? '' : texts.lost;
  });
}

const ACTIONS = {
  // The code on the screen once the camera has framed it; if it has just expired, it is refused.
  scan: (numero, store) => tell(numero, 'scan', { code: store.get(numero)?.code ?? '' }),
  scanOld: (numero, store) => tell(numero, 'scan', { code: store.oldCode(numero) ?? '' }),
  typeCode: (numero, _store, code) => tell(numero, 'pair', { code }),
  scanPasskey: (numero) => tell(numero, 'passkey'),
  signPasskey: (numero) => tell(numero, 'passkey'),
  read: (numero) => tell(numero, 'read'),
  unlink: (numero) => tell(numero, 'unlink'),
  logOut: (numero, _store, reason) => tell(numero, 'unlink', { reason }),
  loseLine: (numero) => tell(numero, 'lose-line'),
  recoverLine: (numero) => tell(numero, 'recover-line'),
  fault: (numero, _store, fault) => tell(numero, 'fault', { fault }),
  report: (numero, _store, state) => tell(numero, 'state', { state }),
};

/** Returns the message that arrived with this change, if there is one. */
function newMessage(phone, before) {
  const [now, then] = [phone.messages.at(-1), before?.messages.at(-1)];
  if (!now) return undefined;
  const same = now.at === then?.at && now.text === then.text && now.from === then.from;
  return same && phone.messages.length === before.messages.length ? undefined : now;
}
