import type { BinaryNode } from '@whiskeysockets/baileys';
import type { Directory } from './directory.ts';
import type { LinkedDevice } from './linked-device.ts';
import { at, childrenAt, node, seconds } from './nodes.ts';
import type { Phone } from './phone.ts';

/** Takes a message from a linked device, acknowledges it, and delivers each copy to its phone. */
export async function deliver(stanza: BinaryNode, sender: LinkedDevice, directory: Directory): Promise<void> {
  const { id = '', to = '' } = stanza.attrs;
  const recipient = directory.byJid(to);
  let fate = recipient && directory.fateOf(recipient);
  if (recipient && fate !== undefined) recipient.undelivered++;
  if (fate instanceof Promise) {
    await fate;
    fate = undefined;
  }
  if (fate === 'lost') return;
  const ack = { class: 'message', id, from: to, t: seconds() };
  const acknowledge = (error?: number) =>
    sender.connection?.send(node('ack', error === undefined ? ack : { ...ack, error: String(error) }));
  acknowledge(typeof fate === 'number' ? fate : undefined);
  if (typeof fate === 'object') acknowledge(fate.later);
  if (fate !== undefined) return;

  for (const { jid, enc } of copies(stanza)) {
    const phone = directory.byJid(jid);
    if (!phone) continue;
    const read = await phone.receive(id, sender, jid ?? phone.jid, enc);
    const own = phone.number === sender.number;
    const attrs: Record<string, string> = { id, from: own ? phone.jid : to, t: seconds() };
    if (own) attrs.recipient = to;
    if (!read) sender.connection?.send(retryReceipt(attrs, phone));
    else if (!own) sender.connection?.send(node('receipt', attrs));
  }
}

/** The phone could not decrypt it, and requests it again under new keys. */
function retryReceipt(attrs: Record<string, string>, phone: Phone): BinaryNode {
  const { id = '', t = '' } = attrs;
  const count = String(phone.failures.length);
  return node('receipt', { ...attrs, type: 'retry' }, [
    node('retry', { v: '1', count, id, t }),
    phone.keys.registration,
  ]);
}

/** A message is encrypted once per device; for a single device there is no list. */
function copies(stanza: BinaryNode): { jid: string | undefined; enc: BinaryNode }[] {
  const list = childrenAt(stanza, 'participants', 'to').map((to) => ({
    jid: to.attrs.jid,
    enc: at(to, 'enc'),
  }));
  const all = [...list, { jid: stanza.attrs.to, enc: at(stanza, 'enc') }];
  return all.flatMap(({ jid, enc }) => (enc ? [{ jid, enc }] : []));
}
