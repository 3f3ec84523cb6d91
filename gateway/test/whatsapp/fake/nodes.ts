import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  S_WHATSAPP_NET,
} from '@whiskeysockets/baileys';

// After the handshake everything is a stanza: a node with attributes and content, as in XMPP.

export function node(tag: string, attrs: Record<string, string> = {}, content?: BinaryNode['content']) {
  return { tag, attrs, content } satisfies BinaryNode;
}

/** Answers an iq. */
export function result(iq: BinaryNode, content?: BinaryNode['content']): BinaryNode {
  return node('iq', { id: iq.attrs.id ?? '', type: 'result', from: S_WHATSAPP_NET }, content);
}

/** Returns the node at the end of this path of tags. */
export function at(root: BinaryNode, ...tags: string[]): BinaryNode | undefined {
  return tags.reduce<BinaryNode | undefined>((parent, tag) => getBinaryNodeChild(parent, tag), root);
}

export function childrenAt(root: BinaryNode, tag: string, ...tags: string[]): BinaryNode[] {
  const path = [tag, ...tags];
  const last = path.pop() ?? tag;
  return getBinaryNodeChildren(at(root, ...path), last);
}

export function bytesOf(of: BinaryNode | undefined): Buffer | undefined {
  return of?.content instanceof Uint8Array ? Buffer.from(of.content) : undefined;
}

export function seconds(): string {
  return String(Math.floor(Date.now() / 1000));
}
