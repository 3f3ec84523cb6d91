import type { KnownNode } from './node.ts';

/** What a gateway knows of the cluster when it decides how many sessions to own. */
export interface View {
  readonly nodes: readonly KnownNode[];
  readonly me: string;
  /** Sessions of the whole cluster. */
  readonly total: number;
  /** Sessions that this gateway owns. */
  readonly mine: number;
}

/** Returns how many more sessions this gateway may take. */
export function roomOf(view: View): number {
  const own = view.nodes.find(({ id }) => id === view.me);
  return own ? Math.max(0, limitOf(own, view) - view.mine) : 0;
}

/** Whether this gateway should hand a session over: it has more than its share, and another gateway has room. */
export function hasSurplus(view: View): boolean {
  const own = view.nodes.find(({ id }) => id === view.me);
  if (!own || view.mine <= limitOf(own, view)) return false;
  return others(view).some((node) => node.sessions < limitOf(node, view));
}

export function hasRoomForAll({ nodes, total }: View): boolean {
  const staying = nodes.filter(({ draining }) => !draining);
  return staying.reduce((sum, node) => sum + capacityOf(node), 0) >= total;
}

/**
 * Whether moving one session would make the shares more even: after the last round, they may differ by the whole
 * remainder. Valid only if nothing has moved lately, since the figures of other gateways are those of their last beat.
 */
export function isUneven(view: View): boolean {
  return others(view).some((node) => node.sessions <= view.mine - 2 && node.sessions < limitOf(node, view));
}

/** Returns the node to create a session at if this one has no room; undefined if there is none. */
export function roomiest(view: View): KnownNode | undefined {
  return others(view)
    .filter((node) => node.sessions < capacityOf(node))
    .sort((a, b) => a.sessions - b.sessions)[0];
}

/** The nodes that can be given sessions. */
function others({ nodes, me }: View): KnownNode[] {
  return nodes.filter(({ id, draining, isSilent }) => id !== me && !draining && !isSilent);
}

function limitOf(node: KnownNode, { nodes, total }: View): number {
  if (node.draining) return 0;
  const capacities = nodes.filter(({ draining }) => !draining).map(capacityOf);
  return Math.min(shareOf(total, capacities), capacityOf(node));
}

function capacityOf({ capacity }: KnownNode): number {
  return capacity ?? Number.POSITIVE_INFINITY;
}

/**
 * Returns the most sessions of each gateway in an even distribution of all sessions: the smallest whole number t with Σ
 * min(t, capacity) ≥ total; the largest capacity if there is not room for all.
 */
export function shareOf(total: number, capacities: readonly number[]): number {
  let rest = total;
  const ascending = [...capacities].sort((a, b) => a - b);
  for (const [index, capacity] of ascending.entries()) {
    const share = Math.ceil(rest / (ascending.length - index));
    if (share <= capacity) return share;
    rest -= capacity;
  }
  return ascending.at(-1) ?? 0;
}
