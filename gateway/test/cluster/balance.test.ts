import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hasSurplus, isUneven, roomiest, type View } from '../../src/cluster/balance.ts';
import type { KnownNode } from '../../src/cluster/node.ts';

const node = (id: string, sessions: number, rest: Partial<KnownNode> = {}): KnownNode => ({
  id,
  sessions,
  url: `http://${id}`,
  lease: 6,
  capacity: null,
  draining: false,
  beats: '1',
  isSilent: false,
  ...rest,
});
const view = (mine: number, total: number, other: KnownNode): View => ({
  nodes: [node('me', mine), other],
  me: 'me',
  mine,
  total,
});

test('a session moves only to a gateway with two fewer: with one fewer it would move back for ever', () => {
  assert.equal(isUneven(view(3, 4, node('other', 1))), true);
  assert.equal(isUneven(view(2, 3, node('other', 1))), false);
});

describe('a gateway that has missed a beat', () => {
  const silent = node('silent', 0, { isSilent: true });

  test('is given no session, although its figures have room', () => {
    assert.equal(hasSurplus(view(4, 4, node('other', 0))), true);
    assert.equal(hasSurplus(view(4, 4, silent)), false);
    assert.equal(isUneven(view(2, 4, node('other', 0))), true);
    assert.equal(isUneven(view(2, 4, silent)), false);
  });

  test('is not where a session is created', () => {
    assert.equal(roomiest(view(2, 2, node('other', 0)))?.id, 'other');
    assert.equal(roomiest(view(2, 2, silent)), undefined);
  });
});
