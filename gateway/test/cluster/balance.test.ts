import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  hasRoomForAll,
  hasSurplus,
  isUneven,
  roomiest,
  roomOf,
  type View,
} from '../../src/cluster/balance.ts';
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

test('a gateway takes sessions up to its share, and up to its capacity where that is less', () => {
  const room = (own: Partial<KnownNode>, mine: number) =>
    roomOf({ nodes: [node('me', mine, own), node('other', 0)], me: 'me', mine, total: 10 });
  assert.equal(room({}, 2), 3);
  assert.equal(room({}, 6), 0);
  assert.equal(room({ capacity: 4 }, 1), 3);
  assert.equal(room({ draining: true }, 0), 0);
  assert.equal(
    roomOf({ nodes: [node('other', 0)], me: 'me', mine: 0, total: 10 }),
    0,
    'not before it is known',
  );
});

test('a gateway gives a session away when it has more than its share, and another has less', () => {
  assert.equal(hasSurplus(view(2, 4, node('other', 1))), false);
  assert.equal(hasSurplus(view(3, 4, node('other', 1))), true);
  assert.equal(hasSurplus(view(3, 4, node('other', 2))), false, 'it has its share by now');
  assert.equal(hasSurplus(view(3, 4, node('other', 0, { capacity: 0 }))), false);
  assert.equal(hasSurplus({ ...view(3, 4, node('other', 1)), me: 'unknown' }), false);
});

test('a gateway that drains gives every session to the others, is given none, and has no room', () => {
  const draining = {
    nodes: [node('me', 1, { draining: true }), node('other', 1)],
    me: 'me',
    mine: 1,
    total: 2,
  };
  assert.equal(hasSurplus(draining), true);
  const left = node('other', 0, { draining: true });
  assert.equal(hasSurplus(view(2, 2, left)), false);
  assert.equal(isUneven(view(2, 2, left)), false);
  assert.equal(roomiest(view(2, 2, left)), undefined);
});

test('there is room for all if the gateways that stay have it together', () => {
  const fits = (total: number, ...nodes: KnownNode[]) => hasRoomForAll({ nodes, me: 'a', mine: 0, total });
  assert.equal(fits(7, node('a', 0, { capacity: 3 }), node('b', 0, { capacity: 4 })), true);
  assert.equal(fits(8, node('a', 0, { capacity: 3 }), node('b', 0, { capacity: 4 })), false);
  assert.equal(fits(8, node('a', 0, { capacity: 3 }), node('b', 0)), true);
  assert.equal(fits(8, node('a', 0, { capacity: 3 }), node('b', 0, { draining: true })), false);
});

test('a session is created at the gateway with the fewest sessions that is not full', () => {
  const at = (...nodes: KnownNode[]) =>
    roomiest({ nodes: [node('me', 0), ...nodes], me: 'me', mine: 0, total: 9 })?.id;
  assert.equal(at(node('many', 5), node('few', 2), node('some', 3)), 'few');
  assert.equal(
    at(node('many', 5), node('few', 2, { capacity: 2 }), node('some', 3, { capacity: 4 })),
    'some',
  );
  assert.equal(at(node('few', 2, { capacity: 2 })), undefined);
});

test('a session moves only to a gateway with two fewer: with one fewer it would move back for ever', () => {
  assert.equal(isUneven(view(3, 4, node('other', 1))), true);
  assert.equal(isUneven(view(2, 3, node('other', 1))), false);
  assert.equal(isUneven(view(3, 4, node('other', 1, { capacity: 1 }))), false, 'nor to one that is full');
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
