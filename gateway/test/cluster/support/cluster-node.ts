import type { Scope } from '../../../../test/support/scope.ts';
import type { RunOptions } from '../../support/command.ts';
import { GatewayProcess } from '../../support/gateway-process.ts';
import type { Link } from './link.ts';

/** A gateway of the cluster, which can be hindered. */
export class ClusterNode extends GatewayProcess {
  /** Its ways to the database's servers. */
  readonly links: readonly Link[];
  /** Whether it can be expected to answer, and to know what the others do. */
  #isHindered = false;

  constructor(scope: Scope, args: readonly string[], links: readonly Link[], options: RunOptions) {
    super(scope, args, options);
    this.links = links;
  }

  get isServing(): boolean {
    return this.isAlive && !this.#isHindered;
  }

  /** Stops it as a debugger does, or a machine that stands still. */
  freeze(): void {
    this.#isHindered = true;
    this.run.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#isHindered = false;
    this.run.child.kill('SIGCONT');
  }

  /** Takes the database away from this gateway alone, without a sign. */
  cutOff(): void {
    this.#isHindered = true;
    for (const link of this.links) link.freeze();
  }

  reconnect(): void {
    this.#isHindered = false;
    for (const link of this.links) link.thaw();
  }
}
