import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildString,
  QueryIds,
  XWAPaths,
} from '@whiskeysockets/baileys';
import type { Directory } from './directory.ts';
import type { LinkedDevice } from './linked-device.ts';
import { at, childrenAt, node, result } from './nodes.ts';
import type { Phone } from './phone.ts';

/** Answers an iq of a logged-in device; undefined where the server was told not to answer. */
export async function answer(
  iq: BinaryNode,
  device: LinkedDevice,
  directory: Directory,
): Promise<BinaryNode | undefined> {
  switch (iq.attrs.xmlns) {
    case 'encrypt':
      return result(iq, await aboutKeys(iq, device, directory));
    case 'usync':
      return usync(iq, device, directory);
    case 'w:sync:app:state':
      return result(iq, [node('sync', {}, childrenAt(iq, 'sync', 'collection').map(upToDate))]);
    case 'abt':
      return result(iq, [node('props', { protocol: '1' }, [])]);
    case 'privacy':
      return result(iq, [node('privacy', {}, [])]);
    case 'w:mex':
      return aboutAccount(iq, directory.phone(device.number));
    case 'blocklist':
      return result(iq, [node('list', {}, [])]);
    default:
      // passive, w:p (ping), w:stats, …: the client expects nothing more.
      return result(iq);
  }
}

/** Answers what a client asks about its account: the answer to anything but its limit is empty. */
function aboutAccount(iq: BinaryNode, phone: Phone): BinaryNode | undefined {
  if (at(iq, 'query')?.attrs.query_id !== QueryIds.REACHOUT_TIMELOCK) return result(iq);
  phone.limitQueries++;
  if (phone.limitAnswer === 'none') return undefined;
  if (phone.limitAnswer === 'empty') return result(iq);
  const data = { [XWAPaths.xwa2_fetch_account_reachout_timelock]: phone.timelock };
  return result(iq, [node('result', {}, Buffer.from(JSON.stringify({ data })))]);
}

/** Without this the client would keep asking. */
function upToDate({ attrs: { name = '', version = '' } }: BinaryNode): BinaryNode {
  return node('collection', { name, version });
}

/** Answers questions about end-to-end keys, the device's own and others'. */
async function aboutKeys(iq: BinaryNode, device: LinkedDevice, directory: Directory): Promise<BinaryNode[]> {
  if (at(iq, 'count')) return [node('count', { value: String(device.preKeys) })];
  if (at(iq, 'digest')) return [node('digest', {}, [])];
  if (at(iq, 'list')) {
    const preKeys = childrenAt(iq, 'list', 'key');
    const lasting = ['registration', 'identity', 'skey'].flatMap((tag) => at(iq, tag) ?? []);
    device.preKeys += preKeys.length;
    device.bundle = [...lasting, ...preKeys.slice(-1)];
    return [];
  }
  const users: BinaryNode[] = [];
  for (const { attrs } of childrenAt(iq, 'key', 'user')) {
    const phone = directory.byJid(attrs.jid);
    if (phone && attrs.jid) users.push(node('user', { jid: attrs.jid }, await phone.keys.bundle()));
  }
  return [node('list', {}, users)];
}

/** Answers questions about users: whether they have WhatsApp, their devices, their LIDs. */
function usync(iq: BinaryNode, device: LinkedDevice, directory: Directory): BinaryNode | undefined {
  const wanted = (tag: string) => at(iq, 'usync', 'query', tag) !== undefined;
  const users: BinaryNode[] = [];
  for (const user of childrenAt(iq, 'usync', 'list', 'user')) {
    const typed = getBinaryNodeChildString(user, 'contact')?.replace('+', '');
    if (typed && !directory.answersAbout(typed)) return undefined;
    const phone = typed ? directory.byNumber(typed) : directory.byJid(user.attrs.jid);
    const jid = user.attrs.jid ?? phone?.jid ?? `${typed}@s.whatsapp.net`;
    const content: BinaryNode[] = [];
    if (wanted('contact')) content.push(node('contact', { type: phone ? 'in' : 'out' }));
    if (phone && wanted('devices')) content.push(deviceList(phone, device));
    if (phone && wanted('lid')) content.push(node('lid', { val: phone.lid }));
    users.push(node('user', { jid }, content));
  }
  const { sid = '', mode = '', context = '' } = getBinaryNodeChild(iq, 'usync')?.attrs ?? {};
  const attrs = { sid, mode, context, index: '0', last: 'true' };
  return result(iq, [node('usync', attrs, [node('result'), node('list', {}, users)])]);
}

/** Lists the phone itself and, if the asking device is one of its own, that device; other linked devices are omitted. */
function deviceList(phone: Phone, asking: LinkedDevice): BinaryNode {
  const devices = [node('device', { id: '0' })];
  if (asking.number === phone.number)
    devices.push(node('device', { id: `${asking.id}`, 'key-index': `${asking.id}` }));
  return node('devices', {}, [node('device-list', {}, devices)]);
}
