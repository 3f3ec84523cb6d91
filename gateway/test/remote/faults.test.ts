import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { Fault } from '../stand-ins/faults.ts';
import { call, message, NUMERO } from '../support/gateway.ts';
import { SERVERS, StandIn } from '../support/stand-in.ts';
import { rowsIn } from '../whatsapp/support/stored-rows.ts';
import { newNumero, openRemote } from './lab.ts';

const LOST = 'SIN CONEXIÓN CON EL SERVIDOR DE LA SESIÓN: se sigue intentando...';
const TITLES = { waha: 'WAHA', evolution: 'Evolution API' };
const CREATE = { waha: 'POST /api/sessions', evolution: 'POST /instance/create' };
const SEND = { waha: 'POST /api/sendText', evolution: 'POST /message/sendText' };
const ANY = ['GET /', 'POST /', 'DELETE /'];
const LICENSE = { error: { code: 'LICENSE_REQUIRED', message: 'Activate it' } };

// Faults are the same in all versions of a server.
for (const { title, name, args } of SERVERS.filter(({ title }) => title !== 'WAHA 2026.7')) {
  describe(`in front of ${title}`, async () => {
    const standIn = await StandIn.start({ after }, name, ...args);

    afterEach(async () => {
      await standIn.command({ do: 'faults', faults: [] });
      await standIn.command({ do: 'mute', muted: false });
    });

    const fail = (...faults: Fault[]) => standIn.command({ do: 'faults', faults });
    /** A session that is linked there. */
    async function linked(): Promise<string> {
      const numero = newNumero();
      await standIn.command({ do: 'create', name: numero, phone: numero });
      return numero;
    }

    const answers: [what: string, as: Fault['as'], status: number, sentence: RegExp, logs: string][] = [
      ['rejects the key', { status: 401 }, 502, /no acepta la clave del gateway/, 'rejects the key'],
      ['fails', { status: 500 }, 502, /falló \(500\)/, 'failed (500)'],
      ['wants to be activated', { status: 503, json: LICENSE }, 502, /no está activado/, 'is not activated'],
      ['is behind a page to sign in', 'html', 502, /el gateway no entiende/, 'is not the API of'],
      ['answers half of it', 'half', 502, /el gateway no entiende/, 'is not the API of'],
      ['cuts the connection', 'cut', 503, /no responde/, 'cannot be reached'],
    ];
    for (const [what, as, status, sentence, logs] of answers) {
      test(`a start is refused in a sentence while the server ${what}, and works afterwards`, async (t) => {
        const numero = newNumero();
        const { gateway, comes, item, lines } = await openRemote(t, name, standIn);
        await fail({ of: CREATE[name], as });
        const refused = await call(gateway, `/api/session/levanta/${numero}`);
        assert.equal(refused.status, status);
        assert.match(String(Object(refused.body).message), sentence);
        assert.match(String(Object(refused.body).message), new RegExp(`^${TITLES[name]}`));
        // A server that cuts the connection may have created it all the same.
        if (as !== 'cut') assert.equal(await item(numero), undefined);

        await fail();
        assert.equal((await call(gateway, `/api/session/levanta/${numero}`)).status, 200);
        assert.ok(
          (await until(async () => (await comes(numero, STATES.authenticating)).qrCode, 'a code')).length >
            20,
        );
        assert.doesNotMatch(lines.join(''), /secret-of/);
      });

      test(`sessions stay listed, and say so, while the server ${what}`, async (t) => {
        const numero = await linked();
        const { comes, pushesOf, logged } = await openRemote(t, name, standIn);
        await comes(numero, STATES.connected);
        await fail(...ANY.map((of) => ({ of, as })));
        await standIn.command({ do: 'dropFeeds' });
        await comes(numero, LOST);
        await logged(logs);

        await fail();
        await comes(numero, STATES.connected);
        // That it was connected before may have been pushed late.
        await until(() => pushesOf(numero).join().endsWith('change_state,ready'), 'both to be pushed');
      });
    }

    test('a message that the server did not take was not sent; one whose answer is lost may have been', async (t) => {
      const numero = await linked();
      const { gateway, comes } = await openRemote(t, name, standIn);
      await comes(numero, STATES.connected);
      const send = () =>
        call(gateway, '/api/message', { method: 'POST', body: message(numero, [34600000009]) });
      for (const [as, status, sentence] of [
        [{ status: 401 }, 503, /no responde/],
        ['cut', 504, /^WhatsApp no lo confirmó/],
        [{ status: 500 }, 504, /^WhatsApp no lo confirmó/],
        ['html', 504, /^WhatsApp no lo confirmó/],
      ] as const) {
        await fail({ of: SEND[name], as });
        const { status: answered, body } = await send();
        assert.equal(answered, status, JSON.stringify(as));
        assert.match(String(Object(body).message), sentence);
      }
      await fail();
      assert.equal((await send()).status, 200);
    });

    test('a feed that says nothing is not believed: the list tells what changed, and the log why', async (t) => {
      const [numero, other] = [await linked(), await linked()];
      await standIn.command({ do: 'mute', muted: true });
      const { comes, logged, pushesOf } = await openRemote(t, name, standIn, {
        timings: { every: 100, alone: 100, patience: 400 },
      });
      await logged('event feed is open.');
      await comes(numero, STATES.connected);
      await comes(other, STATES.connected);
      await standIn.command({ do: 'logOut', name: numero });
      await comes(numero, STATES.disconnected);
      await standIn.command({ do: 'logOut', name: other });
      await comes(other, STATES.disconnected);
      // That it was connected may have been pushed late.
      assert.deepEqual(
        pushesOf(numero).filter((push) => push !== 'ready'),
        ['disconnected'],
      );
      await logged('reports nothing');
    });

    test('after a break of the feed, only what changed meanwhile is pushed', async (t) => {
      const [stays, drops, goes] = [await linked(), await linked(), await linked()];
      const lab = await openRemote(t, name, standIn);
      for (const numero of [stays, drops, goes]) await lab.comes(numero, STATES.connected);
      const mark = await lab.caughtUp();
      await standIn.command({ do: 'mute', muted: true });
      await standIn.command({ do: 'logOut', name: drops });
      await standIn.command({ do: 'remove', name: goes });
      const comes = await linked();
      await standIn.command({ do: 'dropFeeds' });
      await lab.comes(drops, STATES.disconnected);
      await lab.goes(goes);
      await lab.comes(comes, STATES.connected);
      await lab.listener.heard(`session:ready:${comes}`);
      await until(() => lab.pushesOf(drops, mark).length > 0, 'the end to be pushed');
      assert.deepEqual(lab.pushesOf(stays, mark), []);
      assert.deepEqual(lab.pushesOf(drops, mark), ['disconnected']);
    });

    test('the feed comes back by itself after a break', async (t) => {
      const numero = await linked();
      const { comes, logged, lines } = await openRemote(t, name, standIn, {
        timings: { every: 60_000, alone: 60_000 },
      });
      await comes(numero, STATES.connected);
      await logged('event feed is open.');
      const mark = lines.length;
      await standIn.command({ do: 'dropFeeds' });
      await logged('event feed is closed', mark);
      await logged('event feed is open.', mark);
      await standIn.command({ do: 'loseLine', name: numero });
      await comes(numero, 'OPENING');
    });

    test('a gateway that starts without its server lists the sessions of the last time, also after a kill', async (t) => {
      const numero = await linked();
      const first = await openRemote(t, name, standIn);
      await first.comes(numero, STATES.connected);
      // Copied while it runs: what a kill leaves.
      const folder = join(temporaryFolder(), 'left');
      cpSync(first.folder, folder, { recursive: true });
      await first.gateway.close();
      await standIn.kill();
      const second = await openRemote(t, name, standIn, { folder });
      await second.comes(numero, LOST);
      const refused = await call(second.gateway, `/api/session/levanta/${numero}`);
      assert.equal(refused.status, 503);
      await standIn.restart();
      await second.comes(numero, STATES.connected);
    });

    test('a deletion only unlists, and says so; adding the number lists it again', async (t) => {
      const numero = await linked();
      const lab = await openRemote(t, name, standIn);
      await lab.comes(numero, STATES.connected);
      const { status, body } = await call(lab.gateway, `/api/session/${numero}`, { method: 'DELETE' });
      assert.equal(status, 200);
      assert.deepEqual(body, {
        notice: `La sesión de ${numero} se quitó de la lista: en ${TITLES[name]} sigue.`,
      });
      await lab.goes(numero);
      assert.ok((await standIn.sessions()).some((session) => session.name === numero));

      await lab.gateway.close();
      const again = await openRemote(t, name, standIn, { folder: lab.folder });
      assert.equal(await again.item(numero), undefined);
      await call(again.gateway, `/api/session/levanta/${numero}`);
      await again.comes(numero, STATES.connected);
      assert.deepEqual(again.pushesOf(numero).includes('qr'), false);
    });

    test('of what is unlisted only the number stays, and adding it brings back neither names nor links', async (t) => {
      const numero = newNumero();
      await standIn.command({ do: 'create', name: numero });
      const lab = await openRemote(t, name, standIn);
      await until(async () => (await lab.item(numero))?.qrCode, 'a code');
      const path = `/api/session/${numero}`;
      const naming = { label: 'La de Ana', group: 'Las de Ana' };
      await call(lab.gateway, `${path}/details`, { method: 'PUT', body: naming });
      const { body: link } = await call(lab.gateway, `${path}/link`, { method: 'POST' });
      const [, token = ''] = String(Object(link).url).split('#');
      // Of a link that is valid: no other code is needed now.
      const open = ({ url }: { readonly url: string }) =>
        call({ url }, '/l/api/start', { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
      assert.equal((await open(lab.gateway)).status, 409);
      const history = async ({ url }: { readonly url: string }) =>
        JSON.stringify((await call({ url }, `${path}/history`)).body);
      assert.match(await history(lab.gateway), /link_created/);
      const ofIt = `session = (SELECT id FROM session WHERE numero = '${numero}')`;
      const kept = () => rowsIn(join(lab.folder, name), 'archive', ofIt);
      assert.notEqual(kept(), 0);

      assert.equal((await call(lab.gateway, path, { method: 'DELETE' })).status, 200);
      assert.equal(kept(), 0);
      await lab.gateway.close();

      const again = await openRemote(t, name, standIn, { folder: lab.folder });
      await call(again.gateway, `/api/session/levanta/${numero}`);
      const item = (await again.item(numero)) ?? assert.fail('it is not listed');
      assert.deepEqual([item.label, item.group, item.link], [undefined, undefined, undefined]);
      assert.equal((await open(again.gateway)).status, 401);
      assert.doesNotMatch(await history(again.gateway), /link_created/);
    });

    test('a number that was unlisted in one form and added in another stays listed', async (t) => {
      const [theirs, typed] = ['525550007777', '5215550007777'];
      await standIn.command({ do: 'create', name: theirs, phone: typed });
      const timings = { every: 50, alone: 50, patience: 400 };
      const { gateway, comes, goes, item } = await openRemote(t, name, standIn, { timings });
      await comes(theirs, STATES.connected);
      await call(gateway, `/api/session/${theirs}`, { method: 'DELETE' });
      await goes(theirs);
      await call(gateway, `/api/session/levanta/${theirs}`);
      await comes(typed, STATES.connected);
      // Each list follows the one before it: after a change that came later, two have been compared at least.
      for (const other of [await linked(), await linked(), await linked()])
        await comes(other, STATES.connected);
      assert.equal((await item(typed))?.state, STATES.connected);
      await call(gateway, `/api/session/${typed}`, { method: 'DELETE' });
      await goes(typed);
      const last = await linked();
      await comes(last, STATES.connected);
      assert.equal(await item(typed), undefined);
    });

    test('with allowDelete, a deletion deletes there', async (t) => {
      const numero = await linked();
      const lab = await openRemote(t, name, standIn, { allowDelete: true });
      await lab.comes(numero, STATES.connected);
      assert.equal((await call(lab.gateway, `/api/session/${numero}`, { method: 'DELETE' })).status, 204);
      assert.equal(
        (await standIn.sessions()).some((session) => session.name === numero),
        false,
      );
    });

    for (const which of ['that was scanning when it was found', 'whose name is not its number']) {
      test(`the wrong phone is unlinked from a session ${which}`, async (t) => {
        const [numero, wrong] = [newNumero(), newNumero()];
        const isNamed = which.includes('name');
        const theirs = isNamed ? `ventas ${numero}` : numero;
        await standIn.command({ do: 'create', name: theirs, ...(isNamed && { phone: numero }) });
        const lab = await openRemote(t, name, standIn);
        if (isNamed) {
          await lab.comes(numero, STATES.connected);
          await standIn.command({ do: 'logOut', name: theirs });
          await lab.comes(numero, STATES.disconnected);
          await call(lab.gateway, `/api/session/levanta/${numero}`);
        }
        await lab.scanned(numero, wrong);
        await lab.comes(numero, `NÚMERO DISTINTO: se escaneó con el teléfono ${wrong}`);
        const isLinked = async () => (await standIn.sessions()).some((session) => session.phone === wrong);
        await until(async () => !(await isLinked()), 'the wrong phone to be unlinked');
        // Each list follows the one before it: after a change that came later, two have been compared at least.
        for (const other of [await linked(), await linked(), await linked()])
          await lab.comes(other, STATES.connected);
        assert.equal(await lab.item(wrong), undefined);
        assert.ok(await lab.item(numero), 'it is not listed any more');
      });
    }

    test('no secret of theirs is logged, answered or pushed', async (t) => {
      const lab = await openRemote(t, name, standIn, { allowDelete: true });
      const answers: unknown[] = [];
      const ask = async (path: string, init = {}) => answers.push((await call(lab.gateway, path, init)).body);
      await ask(`/api/session/levanta/${NUMERO}`);
      await until(async () => (await lab.item(NUMERO))?.qrCode, 'a code');
      await ask(`/api/session/${NUMERO}/pairing`, { method: 'POST' });
      await lab.scanned(NUMERO);
      await lab.comes(NUMERO, STATES.connected);
      await ask('/api/message', { method: 'POST', body: message(NUMERO, [34600000009]) });
      await fail(...ANY.map((of) => ({ of, as: { status: 500 } })));
      await ask('/api/message', { method: 'POST', body: message(NUMERO, [34600000009]) });
      await ask(`/api/session/levanta/${NUMERO}`);
      await fail();
      await ask(`/api/session/${NUMERO}`, { method: 'DELETE' });
      await ask('/api/session/sessions');
      const everything = JSON.stringify([answers, lab.listener.all, lab.lines]);
      assert.ok(everything.includes(NUMERO));
      assert.doesNotMatch(everything, /secret-of/);
    });
  });
}
