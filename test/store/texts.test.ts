import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { time } from '../../src/texts/moments.ts';
import * as texts from '../../src/texts/sentences.ts';
import { createTranslate, type Texts } from '../../src/texts/translate.ts';
import { stopTime } from './support.ts';

const NUMERO = '5491155550001';

/** Texts as JavaScript may have them. */
const untyped = (given: object): Texts => given;

describe("the panel's sentences", () => {
  stopTime();

  it('are shown as they are, but for those that are replaced', () => {
    const t = createTranslate({ Cancelar: 'Voltar', 'Vincular {0}': 'Conectar {0}', Cerrar: undefined });
    assert.deepEqual(
      [t(texts.cancel), t(texts.codeTitle, NUMERO), t(texts.copy), t(texts.close)],
      ['Voltar', `Conectar ${NUMERO}`, 'Copiar', 'Cerrar'],
    );
  });

  it('have their values in any order, and as often as they like', () => {
    const t = createTranslate({ '{0} de {1} sesiones': 'Von {1}: {0} ({1})' });
    assert.equal(t(texts.found, 3, 20), 'Von 20: 3 (20)');
  });

  it('have values as they are, whatever is in them', () => {
    const t = createTranslate({ 'Chats nuevos usados: {0} de {1}': '{1} {0}' });
    assert.equal(t(texts.newChats, '{1}', '$& {0} $1'), '$& {0} $1 {1}');
    assert.equal(t(texts.codeTitle, '$&{0}'), 'Vincular $&{0}');
  });

  it('are replaced in singular and plural one by one', () => {
    const t = createTranslate({ '{0} sesión': 'uma sessão', '{0} sesiones': '{0} sessões' });
    assert.deepEqual(
      [0, 1, 2].map((count) => t(texts.sessionCount, count)),
      ['0 sessões', 'uma sessão', '2 sessões'],
    );
    assert.equal(createTranslate({ '{0} sesión': 'x' })(texts.sessionCount, 2), '2 sesiones');
  });

  it('may be replaced by nothing', () => {
    assert.equal(createTranslate({ 'por {0}': '' })(texts.by, 'Ana'), '');
  });

  it('are not replaced by what is no string', () => {
    const t = createTranslate(untyped({ Cancelar: 7, Copiar: () => 'x', Cerrar: null, Grupo: 'Equipe' }));
    assert.deepEqual(
      [t(texts.cancel), t(texts.copy), t(texts.close), t(texts.group)],
      ['Cancelar', 'Copiar', 'Cerrar', 'Equipe'],
    );
  });

  it('are not replaced by keys that every object has', () => {
    for (const given of [
      untyped(JSON.parse('{ "__proto__": { "Cancelar": "x" }, "constructor": "y", "toString": "z" }')),
      untyped(Object.create({ Cancelar: 'x' })),
    ])
      assert.equal(createTranslate(given)(texts.cancel), 'Cancelar');
  });

  it('have no other language than a BCP 47 tag', () => {
    for (const es of ['', 'pt_BR', 'português']) assert.throws(() => createTranslate({ es }), RangeError);
  });

  it('have times in their language, which may be called like a method of every object', () => {
    const afternoon = new Date(2026, 0, 1, 15, 4).getTime();
    assert.equal(time(createTranslate(), afternoon), '15:04');
    assert.match(time(createTranslate({ es: 'en-US' }), afternoon), /^03:04\sPM$/);
    assert.match(time(createTranslate({ es: 'toString' }), afternoon), /04/);
  });

  it('are left alone by the code of the page that throws when it is read', () => {
    const t = () =>
      createTranslate({
        get Cancelar(): string {
          throw new Error('no');
        },
      });
    assert.throws(t, /no/);
  });
});
