import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { portuguese as PORTUGUESE } from '../../docs/texts/pt.js';
import { SENTENCES } from '../support/sentences.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Sentences that are the same in both languages. */
const SAME = [
  '{0} conectada',
  '{0} conectadas',
  '{0} de {1} conectadas',
  '{0}\u00a0h',
  '{0}\u00a0min',
  '© {0} {1}',
  'Abrir {0}',
  'Agrupadas: {0} de {1}',
  'Agrupar ({0})',
  'Agrupar…',
  'Avisos',
  'Cancelar',
  'Continuar',
  'Copiado',
  'Copiar',
  'Copiar código',
  'Código QR para vincular {0}',
  'Código: {0}',
  'Desde',
  'Desde {0}',
  'Desvincular',
  'Estado',
  'Grupo',
  'Lista',
  'Mostrar todas',
  'Número',
  'Proxy',
  'Todas',
  'Todas ({0})',
  'Ver anteriores',
  'Ver código',
  'Vincular {0}',
  'por {0}',
];

describe('the Portuguese texts', () => {
  const portuguese: ReadonlyMap<string, string> = new Map(Object.entries(PORTUGUESE));

  test('translate every sentence, and no other', () => {
    assert.deepEqual([...portuguese.keys()].sort(), [...SENTENCES].sort());
  });

  test('have the values of each sentence', () => {
    const valuesIn = (text: string) => (text.match(/\{\d\}/g) ?? []).sort();
    for (const [sentence, text] of portuguese) assert.deepEqual(valuesIn(text), valuesIn(sentence), sentence);
  });

  test('are other words than the Spanish ones, but for some', () => {
    const same = [...portuguese].flatMap(([sentence, text]) => (sentence === text ? sentence : []));
    assert.deepEqual(same.sort(), [...SAME].sort());
  });

  test('begin and end as the sentences do', () => {
    const edges = (text: string) => [text.match(/^[ ,;·]*/)?.[0], text.match(/[.:…]$/)?.[0]];
    for (const [sentence, text] of portuguese) assert.deepEqual(edges(text), edges(sentence), sentence);
  });

  test('are all that the type asks for', () => {
    const folder = temporaryFolder();
    const code = readFileSync('docs/texts/pt.js', 'utf8');
    const typed = code.replace('portuguese =', 'portuguese: Required<Texts> =');
    assert.notEqual(typed, code);
    writeFileSync(
      join(folder, 'texts.ts'),
      `import type { Texts } from '${resolve('dist/types/index.js')}';
      ${typed}
      // @ts-expect-error: all the others are missing
      export const english: Required<Texts> = { es: 'en' };`,
    );
    const options = '--noEmit --strict --target esnext --module esnext --moduleResolution bundler';
    execFileSync(resolve('node_modules/.bin/tsc'), [...options.split(' '), 'texts.ts'], { cwd: folder });
  });
});
