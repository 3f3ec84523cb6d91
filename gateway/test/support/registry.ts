import { ClusterOfOne } from '../../src/sessions/cluster-of-one.ts';
import type { Engine } from '../../src/sessions/engine.ts';
import { Registry } from '../../src/sessions/registry.ts';
import type { Push } from '../../src/sessions/transitions.ts';
import type { Archive } from '../../src/store/archive.ts';

/** Returns the sessions of a gateway alone. @param emit receives the pushes for the panels */
export function createRegistry(
  engine: Engine,
  archive: Archive,
  emit: (push: Push) => void = () => {},
): Registry {
  const registry: Registry = new Registry({
    engine,
    archive: () => archive,
    cluster: new ClusterOfOne(emit, () => registry),
  });
  return registry;
}
