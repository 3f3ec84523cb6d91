import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { build } from 'esbuild';
import { bundle, compileVue, run } from '../readme/bundle.ts';
import { FRAMEWORKS } from '../readme/page.ts';
import { PlainServer } from '../support/plain-server.ts';
import { until } from '../support/until.ts';

const NUMERO = '5215550001111';
const CONNECTED = { numero: NUMERO, state: 'CONNECTED', waiting: false };
const REASON = { code: 'device-removed', text: 'El dispositivo se quitó desde el teléfono.' };

/** Starts a script, in plain JavaScript, in the folder of the package. */
const start = (script: string) =>
  spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

describe('whatsapp-operadores/states', () => {
  it('tells a script in Node what items and pushes ask', async () => {
    const child = start(`
      import { applyPush, readState } from 'whatsapp-operadores/states';
      const item = ${JSON.stringify(CONNECTED)};
      const told = applyPush(item, 'session:details:${NUMERO}', { since: 1, reason: ${JSON.stringify(REASON)} });
      const down = applyPush(told, 'session:disconnected:${NUMERO}');
      console.log(JSON.stringify([readState(item), readState(down), applyPush(item, 'session:ready:1') === item]));`);
    const [output] = await once(child.stdout, 'data');
    assert.deepEqual(JSON.parse(output), [
      {
        asks: 'nothing',
        severity: 'ok',
        dropped: false,
        advice: 'Conectada: envía y recibe mensajes.',
      },
      { asks: 'act', severity: 'attention', dropped: true, advice: REASON.text },
      true,
    ]);
  });

  it('is one file of at most 4,096 bytes by gzip -9, which loads nothing else', async (t) => {
    const { length } = execFileSync('gzip', ['-9', '--stdout', 'dist/states.js']);
    t.diagnostic(`${length} bytes`);
    assert.ok(length <= 4_096, `${length} bytes`);
    const { metafile } = await build({
      stdin: { contents: "import 'whatsapp-operadores/states';", resolveDir: process.cwd() },
      bundle: true,
      write: false,
      metafile: true,
      treeShaking: false,
      platform: 'node',
      format: 'esm',
    });
    assert.deepEqual(Object.keys(metafile.inputs).sort(), ['<stdin>', 'dist/states.js']);
    assert.doesNotMatch(readFileSync('dist/states.js', 'utf8'), /Sesiones activas|react|socket\.io/i);
  });

  it('tells a page of Vue, in the texts of the page', async () => {
    const code = compileVue(
      `<script setup>
         import { readState } from 'whatsapp-operadores/states';
         const props = defineProps(['items']);
         const texts = { 'Conectada: envía y recibe mensajes.': 'Funciona.' };
       </script>
       <template>
         <p v-for="item in props.items" :class="readState(item).severity">{{ readState(item, { texts }).advice }}</p>
       </template>`,
      () => false,
    );
    const page = await bundle(
      `import { createSSRApp } from 'vue';
       import { renderToString } from 'vue/server-renderer';
       import Page from 'snippet';
       export const render = (items) => renderToString(createSSRApp(Page, { items }));`,
      { snippet: { code, loader: 'ts' } },
      'node',
    );
    const { render } = run(page);
    assert.ok(render instanceof Function);
    const html: unknown = await render([CONNECTED, { ...CONNECTED, state: 'DESCONECTADO', reason: REASON }]);
    assert.match(String(html), /<p class="ok">Funciona\.<\/p><p class="attention">El dispositivo se quitó/);
  });

  it('watches a server as the documentation has it', async () => {
    const server = new PlainServer([CONNECTED], {});
    const url = await server.listen();
    const snippet = FRAMEWORKS.snippet('States without the panel', 'js');
    const child = start(snippet.replaceAll('http://127.0.0.1:8080', url));
    try {
      let printed = '';
      child.stdout.on('data', (data) => {
        printed += data;
      });
      await until(() => {
        // It tells what is pushed once it has the list.
        server.pushAll([
          [`session:details:${NUMERO}`, { since: Date.now(), reason: REASON }],
          [`session:disconnected:${NUMERO}`],
        ]);
        return printed !== '';
      }, 'the script to tell the drop');
      assert.equal(printed, `${NUMERO}: ${REASON.text}\n`);
    } finally {
      child.kill();
      await server.close();
    }
  });
});
