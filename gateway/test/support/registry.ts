import type { Ledger } from '../../src/ledger/ledger.ts';
import { ClusterOfOne } from '../../src/sessions/cluster-of-one.ts';
import type { Engine } from '../../src/sessions/engine.ts';
import { Registry, type RegistryParts } from '../../src/sessions/registry.ts';
import type { Push } from '../../src/sessions/transitions.ts';

/** Returns the sessions of a gateway alone. @param emit receives the pushes for the panels */
export function createRegistry(
  engine: Engine,
  ledger: Ledger,
  emit: (push: Push) => void = () => {},
  observe: RegistryParts['observe'] = () => {},
  probe = 0,
): Registry {
  const registry: Registry = new Registry({
    engine,
    ledger: () => ledger,
    cluster: new ClusterOfOne(emit, () => registry),
    name: 'gateway',
    probe,
    observe,
  });
  return registry;
}
