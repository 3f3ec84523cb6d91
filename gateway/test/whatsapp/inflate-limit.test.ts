import assert from 'node:assert/strict';
import { test } from 'node:test';
import { built } from '../support/built.ts';
import { printed } from './support/printed.ts';

test('a frame inflates to 4 MB at most; other code has no such limit', async () => {
  const script = `
    import { promisify } from 'node:util';
    import { deflateSync, inflate } from 'node:zlib';
    import { loadLibrary } from '${built('src/engines/whatsapp/library')}';
    const { decodeBinaryNode } = await loadLibrary();
    const frame = (size) => Buffer.concat([Buffer.from([2]), deflateSync(Buffer.alloc(size))]);
    for (const size of [4 << 20, (4 << 20) + 1]) {
      await decodeBinaryNode(frame(size)).catch(({ code, message }) => console.log(code ?? message));
    }
    console.log((await promisify(inflate)(deflateSync(Buffer.alloc(8 << 20)))).length);`;
  assert.equal(await printed(script), 'invalid node\nERR_BUFFER_TOO_LARGE\n8388608\n');
});
