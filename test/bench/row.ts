/** A line of the table. */
export interface Row {
  readonly what: string;
  readonly unit: 'ms' | 'kB' | 'MB' | '×' | 'fps' | '';
  /** Missing where the floor is no measure. */
  readonly floor?: number;
  readonly panel: number;
  /** What is held against the goal: the panel's value itself, or what it is to the floor's. */
  readonly goal: { readonly of: 'value' | 'ratio'; readonly at: 'most' | 'least'; readonly limit: number };
  /** The size of each thing that the value is made of. */
  readonly parts?: Readonly<Record<string, number>>;
  readonly floorParts?: Readonly<Record<string, number>>;
}

export function ratioOf({ floor, panel }: Row): number | undefined {
  return floor === undefined ? undefined : panel / floor;
}

export function isMet(row: Row): boolean {
  const { of, at, limit } = row.goal;
  const value = of === 'value' ? row.panel : (ratioOf(row) ?? Number.NaN);
  return at === 'most' ? value <= limit : value >= limit;
}
