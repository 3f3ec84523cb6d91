import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { createSeeds } from '../src/engines/simulated/seeds.ts';
import { Listener, listOf, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

describe('five thousand sessions', () => {
  test('have five thousand numeros that the panel accepts', () => {
    const numeros = createSeeds(5_000).map(({ numero }) => numero);
    assert.equal(new Set(numeros).size, 5_000);
    for (const numero of numeros) assert.match(numero, /^\d{10,13}$/);
  });

  test('are listed, and their codes are renewed, spread over time', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { sessions: 5_000, clock });
    // On a busy machine the start keeps the process from answering, and requests meanwhile are refused for a moment.
    const sessions = await until(() => listOf(gateway), 'the list');
    assert.equal(sessions.length, 5_000);
    const codes = sessions.filter(({ qrCode }) => qrCode);
    assert.ok(codes.length > 500);
    const restricted = gateway.phones.list().filter(({ restrictedUntil }) => restrictedUntil !== null);
    assert.equal(clock.pending, codes.length + restricted.length);

    const listener = await Listener.connect(t, gateway);
    clock.advance(60_000);
    const last = codes.at(-1) ?? assert.fail();
    const first = codes[0] ?? assert.fail();
    await listener.heard(`session:qr:${first.numero}`);
    await listener.heard(`session:qr:${last.numero}`);

    const shown = () => new Set(gateway.phones.list().map(({ code }) => code));
    const before = shown();
    clock.advance(100);
    const renewed = [...shown()].filter((code) => !before.has(code)).length;
    assert.ok(renewed < 10, `${renewed} codes renewed in a tenth of a second`);
  });
});
