import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PATIENCE } from '../../../test/support/patience.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { built, inline } from '../support/built.ts';
import { run } from '../support/command.ts';
import { call, itemOf } from '../support/gateway.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { LOGIN, Proxies } from '../support/proxies.ts';
import { startFakeWhatsapp } from './fake/whatsapp.ts';
import { NUMERO } from './support/lab.ts';

const [GENERAL, OWN] = ['127.0.0.11', '127.0.0.12'];
const proxies = Proxies.start({ after });

// In one process: trust in a certificate is set when it starts.
test('a gateway with the proxy of the environment, which changes to proxies over TLS', async (t) => {
  const whatsapp = await startFakeWhatsapp({ preKeys: 100 });
  t.after(() => whatsapp.close());
  const page = await proxies.page();
  const general = await proxies.open('http', GENERAL, LOGIN);
  const [own, lying, liar] = [
    await proxies.open('https', OWN, LOGIN),
    await proxies.open('http', OWN),
    await proxies.open('socks5', OWN),
  ];
  await lying.set('lying');
  await liar.set('lying');
  const args = [
    ...['--engine', 'whatsapp', '--data', join(temporaryFolder(), 'data'), '--whatsapp-url', whatsapp.url],
    ...['--proxy-check', page, '--log-level', 'trace', '--metrics'],
  ];
  const env = { NODE_EXTRA_CA_CERTS: proxies.certificate, HTTPS_PROXY: general.url, NO_PROXY: '' };
  const timings = built('src/engines/whatsapp/timings');
  const imports = inline(`import { TIMINGS } from '${timings}'; TIMINGS.proxy = ${PATIENCE};`);
  const gateway = await new GatewayProcess(t, args, { env, imports }).listens();
  const doctor = run(t, ['doctor', ...args], { env, imports });
  const item = () => itemOf(gateway, NUMERO);
  const put = (proxy: string | null) =>
    call(gateway, `/api/session/${NUMERO}/details`, { method: 'PUT', body: { proxy } });

  await gateway.link(NUMERO, whatsapp);
  await until(async () => (await item())?.exit === GENERAL, 'the exit of the proxy of all');
  assert.equal((await item())?.proxy, general.name);

  // Whatever they claim, they have no certificate for the page.
  for (const proxy of [lying, liar]) {
    const { status, body } = await put(proxy.url);
    assert.equal(status, 422);
    assert.deepEqual(
      Object(body).message,
      `El proxy ${proxy.name} muestra un certificado que no es de confianza.`,
    );
  }
  await doctor.ended;
  assert.deepEqual(whatsapp.addressesSince(0).sort(), [GENERAL, OWN]);

  const { mark } = whatsapp;
  const { status, body } = await put(own.url);
  assert.equal(status, 200);
  assert.equal(Object(body).exit, OWN);
  const addresses = () => whatsapp.addressesSince(mark);
  await until(async () => (await item())?.state === 'CONNECTED' && addresses().length > 0, 'the change');
  assert.deepEqual(addresses(), [OWN]);

  assert.match(
    doctor.output.stdout,
    new RegExp(`ok +WhatsApp answers through the proxy ${general.name}. It goes out from ${GENERAL}.`),
  );
  const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
  assert.match(metrics, /^whatsapp_gateway_/m);
  assert.doesNotMatch(metrics, /clave-secreta/);
  await gateway.stop();
  const { stdout, stderr } = gateway.run.output;
  assert.doesNotMatch(stdout + stderr + doctor.output.stdout + doctor.output.stderr, /clave-secreta/);
});
