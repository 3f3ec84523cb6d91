/** The situations of docs/contributing/traffic.md. */
import type { Bench } from '../../../../test/bench/browser.ts';
import { chooseGroup, refresh, search, typeMessage } from './operator.ts';
import { type Row, Scene } from './scene.ts';

/** Counts what happens to one panel with so many sessions. */
type Situation = (bench: Bench, sessions: number) => Promise<readonly Row[]>;

/** By the heading of their table. Those of one heading run side by side. */
export const SITUATIONS: Readonly<Record<string, readonly Situation[]>> = {
  opening: [opening],
  open: [open],
  hidden: [hidden, hiddenAway],
  searching: [searching],
  reconnecting: [restarted, away, blocked],
};

function opening(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, async (scene) => [
    scene.count('the script, by gzip', 'script'),
    scene.count('the connection', 'connection'),
    scene.count('the list', 'list'),
  ]);
}

function open(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, async (scene) => {
    const { gateway, visit } = scene;
    const [from = '', to = ''] = gateway.connected;
    const pushed = (what: string, act: () => unknown) => scene.event(what, act, 'connection');
    const rows = [
      await scene.minute('a minute in which nothing happens'),
      // After that minute: panels are told of signs once a minute at most.
      await pushed('WhatsApp answers for a session', () => gateway.answer(from, to)),
      await pushed('a code is renewed', () => gateway.renewCode()),
      await pushed('a phone scans, and its session connects', () => gateway.scan()),
      await pushed('a session loses its connection', () => gateway.phones.phone(from).loseLine()),
      await pushed('it is back', () => gateway.phones.phone(from).recoverLine()),
      await pushed('another panel sends a test message, which is read', () => gateway.send(from, to)),
    ];
    const send = await typeMessage(visit, from, to);
    const sent = () => Promise.all([send(), gateway.read(to)]);
    return [
      ...rows,
      await scene.event('this panel sends one', sent, 'other'),
      await scene.event('the page calls refresh()', () => refresh(visit), 'list'),
    ];
  });
}

function hidden(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, async (scene) => {
    const { gateway } = scene;
    await scene.setHidden(true);
    return [
      await scene.minute('a minute in which nothing happens'),
      await scene.event('a code is renewed', () => gateway.renewCode(), 'connection'),
      await scene.restart('the gateway restarts'),
      await scene.event('the page is shown again', () => scene.setHidden(false), 'list'),
    ];
  });
}

function hiddenAway(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, async (scene) => {
    await scene.setHidden(true);
    return minuteAway(scene);
  });
}

function searching(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, async (scene) => {
    const { gateway, visit } = scene;
    const [grouped = '', other = ''] = gateway.connected;
    await scene.event('a group', () => gateway.group(grouped, 'tienda'), 'connection');
    return [
      await scene.event('a group is chosen', () => chooseGroup(visit, 'tienda', 1)),
      await scene.event('a numero is typed, digit by digit', () => search(visit, other, 0)),
    ];
  });
}

function restarted(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, async (scene) => [await scene.restart('the gateway restarts')]);
}

function away(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, minuteAway);
}

async function minuteAway(scene: Scene): Promise<Row[]> {
  await scene.gateway.stop();
  await scene.minute();
  return [
    scene.count('a minute without a server: connections', 'connection'),
    scene.count('a minute without a server: lists', 'list'),
  ];
}

function blocked(bench: Bench, sessions: number) {
  return Scene.play(bench, sessions, async (scene) => {
    scene.gateway.refuseSockets();
    await scene.minute();
    return [
      scene.count('a minute in which Socket.IO alone is refused: connections', 'connection'),
      scene.count('a minute in which Socket.IO alone is refused: lists', 'list'),
    ];
  });
}
