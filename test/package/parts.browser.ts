import '../../src/index.ts';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click, press } from '../support/input.ts';
import { mountReady } from '../support/panel.ts';

describe('the documented parts', () => {
  it('are those that the panel has on the screen', async () => {
    const gateway = await startGateway({ sessions: [{ numero: '5491155550001', state: 'connected' }] });
    const panel = await mountReady(gateway);
    const parts = new Set<string>();
    const collect = () => {
      for (const { part } of panel.root.querySelectorAll('[part]')) for (const name of part) parts.add(name);
    };
    await click(await panel.find('button', /^Más acciones/));
    await panel.find('menu');
    collect();
    await press('Escape');
    await click(panel.button('Agregar una nueva sesión'));
    await panel.openDialog();
    collect();
    expect([...parts]).to.have.members(await documentedParts());
  });
});

async function documentedParts(): Promise<string[]> {
  const answer = await fetch('/dist/custom-elements.json');
  const { modules }: { modules: { declarations: { cssParts: { name: string }[] }[] }[] } =
    await answer.json();
  return modules.flatMap(({ declarations }) =>
    declarations.flatMap(({ cssParts }) => cssParts.map(({ name }) => name)),
  );
}
