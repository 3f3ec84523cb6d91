import { type BinaryNode, encodeBinaryNode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import { node, seconds } from '../../../gateway/test/whatsapp/fake/nodes.ts';
import type { Random } from '../random.ts';
import type { OddFrame } from './odd-frame.ts';

const SOMEBODY = '34700000001@s.whatsapp.net';
const GROUP = '120363000000000001@g.us';
const BYTES = Buffer.alloc(32, 5);

function notification(type: string, content?: BinaryNode['content'], from = SOMEBODY): BinaryNode {
  return node('notification', { id: '1', from, type, t: seconds() }, content);
}

function fromServer(type: string, content?: BinaryNode[]): BinaryNode {
  return node('iq', { id: '1', from: S_WHATSAPP_NET, type, xmlns: 'md' }, content);
}

/**
 * One stanza of each kind that the client reacts to, except those that rightly end a session: 401, 403, 405, 411, 440,
 * and the request for a passkey.
 */
const STANZAS: readonly (() => BinaryNode)[] = [
  () =>
    node('message', { id: '1', from: SOMEBODY, type: 'text', t: seconds() }, [
      node('enc', { v: '2', type: 'pkmsg' }, BYTES),
    ]),
  () =>
    node('message', { id: '1', from: GROUP, participant: SOMEBODY, type: 'text', t: seconds() }, [
      node('enc', { v: '2', type: 'skmsg' }, BYTES),
    ]),
  () => node('message', { id: '1', from: SOMEBODY, t: seconds(), offline: '1' }, [node('unavailable')]),
  () => node('receipt', { id: '1', from: SOMEBODY, type: 'read', t: seconds() }),
  () =>
    node('receipt', { id: '1', from: SOMEBODY, type: 'retry', t: seconds() }, [
      node('retry', { v: '1', count: '1', id: '1', t: seconds() }),
      node('registration', {}, Buffer.alloc(4)),
    ]),
  () => node('ack', { id: '1', class: 'message', from: SOMEBODY, error: '463' }),
  () => node('call', { id: '1', from: SOMEBODY, t: seconds() }, [node('offer', { 'call-id': '1' })]),
  () => node('presence', { from: SOMEBODY, type: 'unavailable', last: '1' }),
  () => node('chatstate', { from: SOMEBODY }, [node('composing')]),
  () => notification('w:gp2', [node('create', {}, [node('group', { id: '1' })])], GROUP),
  () => notification('encrypt', [node('count', { value: '3' })], S_WHATSAPP_NET),
  () => notification('encrypt', [node('identity', {}, BYTES)]),
  () => notification('devices', [node('add', {}, [node('device', { jid: SOMEBODY })])]),
  () => notification('server_sync', [node('collection', { name: 'regular', version: '1' })]),
  () => notification('picture', [node('set', { id: '1', hash: 'abc' })]),
  () => notification('account_sync', [node('disappearing_mode', { duration: '0', t: seconds() })]),
  () => notification('link_code_companion_reg', [node('link_code_companion_reg')]),
  () => notification('privacy_token', [node('tokens', {}, [node('token', { type: 'trusted' }, BYTES)])]),
  () => notification('mediaretry', [node('rmr', { jid: SOMEBODY })]),
  () => notification('newsletter', [node('live_updates')]),
  () => notification('mex', [node('update', { op_name: '1' }, Buffer.from('{}'))]),
  () => node('ib', {}, [node('dirty', { type: 'account_sync', timestamp: '1' })]),
  () => node('ib', {}, [node('dirty', { type: 'groups' })]),
  () => node('ib', {}, [node('offline_preview', { count: '1' })]),
  () => node('ib', {}, [node('offline', { count: '1' })]),
  () => node('ib', {}, [node('edge_routing', {}, [node('routing_info', {}, BYTES)])]),
  () => node('success', { t: seconds(), lid: '100000000000001:1@lid' }),
  () => fromServer('set', [node('pair-device', {}, [node('ref', {}, BYTES)])]),
  () => fromServer('set', [node('pair-success', {}, [node('device-identity', {}, BYTES), node('device')])]),
  () => fromServer('get', [node('ping')]),
  () => fromServer('result'),
  () => fromServer('error', [node('error', { code: '500', text: 'no' })]),
  () => node('stream:error', { code: '500' }),
  () => node('stream:error', {}, [node('ack')]),
  () => node('failure', { reason: '500' }),
  () => node('xmlstreamend'),
  () => node('xmlstreamstart'),
];

const VALUES = ['', '0', '-1', '7', 'NaN', '1e999', '@', 'a@b@c', '1@lid', '__proto__', 'constructor', 'ñ\0'];

/** Changes one thing in a node, at any depth. */
function change(stanza: BinaryNode, random: Random): BinaryNode {
  const { tag, attrs, content } = stanza;
  const names = Object.keys(attrs);
  const children = Array.isArray(content) ? content : [];
  if (children.length > 0 && random.chance(0.5)) {
    const at = random.integer(0, children.length - 1);
    return {
      tag,
      attrs,
      content: children.map((child, index) => (index === at ? change(child, random) : child)),
    };
  }
  if (names.length > 0 && random.chance(0.6)) {
    const { [random.pick(names)]: _, ...others } = attrs;
    if (random.chance(0.5)) return { tag, attrs: others, content };
    return { tag, attrs: { ...attrs, [random.pick(names)]: value(random) }, content };
  }
  if (random.chance(0.2)) return { tag: random.pick(['iq', 'x', ...VALUES.slice(1)]), attrs, content };
  return { tag, attrs, content: random.pick(CONTENTS)(random) };
}

function value(random: Random): string {
  return random.chance(0.1) ? 'x'.repeat(70_000) : random.pick(VALUES);
}

const CONTENTS: readonly ((random: Random) => BinaryNode['content'])[] = [
  () => undefined,
  () => [],
  () => '',
  () => 'text',
  () => Buffer.alloc(0),
  (random) => random.bytes(random.integer(1, 300)),
  (random) =>
    Array.from({ length: random.integer(1, 300) }, () => node(random.pick(['x', 'enc', 'ref', 'item']))),
  (random) => [change(random.pick(STANZAS)(), random)],
];

/** Nodes that can be decoded, but are not what the client expects. */
export const ODD_STANZAS: readonly OddFrame[] = STANZAS.map((stanza) => ({
  name: `odd: ${encodeName(stanza())}`,
  send(connection, random) {
    let odd = stanza();
    for (let changes = random.integer(0, 3); changes > 0; changes--) odd = change(odd, random);
    connection.transmit(connection.seal(encodeBinaryNode(odd)));
  },
}));

function encodeName({ tag, attrs, content }: BinaryNode): string {
  const [child] = Array.isArray(content) ? content : [];
  return [tag, attrs.type, child?.tag].filter((part) => part !== undefined).join(' ');
}
