import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { bySection, countSections } from '../../src/session/counts.ts';
import { sectionOf } from '../../src/session/groups.ts';
import { createTranslate } from '../../src/texts/translate.ts';

const t = createTranslate();

const record = (group: string | undefined, asks: 'nothing' | 'wait' | 'act' = 'nothing') => ({
  details: group === undefined ? {} : { group },
  status: { asks },
});

/** The section of each numero, section by section. */
const arranged = (numeros: readonly string[], sectionOfNumero: (numero: string) => string) =>
  bySection(t, numeros, sectionOfNumero).flatMap(([section, members]) =>
    members.map((numero) => [numero, section]),
  );

describe('the sections of a list', () => {
  it('come in the order of the alphabet, with numbers as such; those without a group come last', () => {
    const groups = new Map([
      ['1', ''],
      ['2', 'Ventas'],
      ['3', 'Línea 10'],
      ['4', 'Línea 9'],
      ['5', 'Ámbar'],
      ['6', 'ventas'],
      ['7', 'Ñandú'],
      ['8', 'Nube'],
    ]);
    assert.deepEqual(
      arranged([...groups.keys()], (numero) => sectionOf(groups.get(numero))),
      [
        ['5', 'ámbar'],
        ['4', 'línea 9'],
        ['3', 'línea 10'],
        ['8', 'nube'],
        ['7', 'ñandú'],
        ['2', 'ventas'],
        ['6', 'ventas'],
        ['1', ''],
      ],
    );
  });

  it("come in the alphabet of the page's language, which is made once", () => {
    const { mock: made } = mock.method(Intl, 'Collator');
    const orders = ['sv', 'es', 'sv'].map((language) =>
      [
        ...countSections(
          createTranslate({ es: language }),
          ['Zon', 'Öst'].map((group) => record(group)),
        ).values(),
      ].map(({ name }) => name),
    );
    mock.reset();
    assert.deepEqual(orders, [
      ['Zon', 'Öst'],
      ['Öst', 'Zon'],
      ['Zon', 'Öst'],
    ]);
    assert.ok(made.callCount() <= 2, String(made.callCount()));
  });

  it('are one where groups look alike, as the first of its sessions spells it', () => {
    const groups = [
      'Tienda Norte',
      'tienda NORTE',
      ' Tienda \u00a0 Norte ',
      'Tien\u200bda\u3000Norte\ufe0f',
      'Ｔｉｅｎｄａ Norte',
      'Tienda\u2800Norte\u2060',
      'Tienda Norte\ufff9\u{13430}',
    ];
    assert.deepEqual(
      [
        ...countSections(
          t,
          groups.map((group) => record(group)),
        ).values(),
      ],
      [{ name: 'Tienda Norte', total: groups.length, ok: groups.length, waiting: 0, attention: 0 }],
    );
    for (const other of ['TiendaNorte', 'Tienda Norté', 'Tienda Norte 2', ''])
      assert.notEqual(sectionOf(other), sectionOf(groups[0]), other);
  });

  it('are one where an invisible character keeps a letter from its accent', () =>
    assert.equal(sectionOf('A\u034f\u0301rbol'), sectionOf('Árbol')));

  it('are none where nobody sees the names of the groups', () =>
    assert.equal(countSections(t, [record('\u3164'), record(undefined)]).size, 0));

  it('keep the order of their sessions', () => {
    const sections = arranged(['5', '1', '4', '2', '3'], (numero) => (Number(numero) % 2 ? 'Impares' : ''));
    assert.deepEqual(
      sections.map(([numero]) => numero),
      ['5', '1', '3', '4', '2'],
    );
  });

  it('may be called anything', () => {
    const names = ['__proto__', 'constructor', '0', ' ', '\n'];
    const sections = arranged(names, (numero) => numero);
    assert.deepEqual(sections.map(([, section]) => section).sort(), [...names].sort());
  });

  it('are none where no session has a group', () => {
    assert.deepEqual(
      arranged(['1', '2'], () => ''),
      [],
    );
    assert.deepEqual(
      arranged([], () => ''),
      [],
    );
    assert.equal(countSections(t, [record(undefined), record(undefined, 'act')]).size, 0);
  });

  it('count their sessions, those that are well, that wait, and that need attention', () => {
    const counts = countSections(t, [
      record(undefined, 'act'),
      record('Ventas'),
      record('Soporte', 'wait'),
      record('Ventas', 'act'),
    ]);
    assert.deepEqual(
      [...counts],
      [
        ['soporte', { name: 'Soporte', total: 1, ok: 0, waiting: 1, attention: 0 }],
        ['ventas', { name: 'Ventas', total: 2, ok: 1, waiting: 0, attention: 1 }],
        ['', { name: '', total: 1, ok: 0, waiting: 0, attention: 1 }],
      ],
    );
  });
});
