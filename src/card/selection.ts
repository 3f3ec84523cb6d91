import { Observable } from '../observable.ts';

/** The sessions that are ticked. */
export class Selection {
  /** The same set until another session is ticked, or one no longer. */
  readonly selected = new Observable<ReadonlySet<string>>(new Set());
  /** Returns the sessions that the operator sees, in their order. */
  readonly visible: () => readonly string[];
  /** The session that was ticked last, or no longer: where a range begins. */
  #last = '';

  constructor(visible: () => readonly string[]) {
    this.visible = visible;
  }

  /** Ticks a session, or no longer; with `range`, all from the last one to this one as they are shown. */
  toggle(numero: string, range = false): void {
    const selected = new Set(this.selected.get());
    const ticks = !selected.has(numero);
    const visible = this.visible();
    const ends = [this.#last, numero].map((end) => visible.indexOf(end));
    const from = Math.min(...ends);
    for (const one of range && from >= 0 ? visible.slice(from, Math.max(...ends) + 1) : [numero]) {
      if (ticks) selected.add(one);
      else selected.delete(one);
    }
    this.#last = numero;
    this.#set(selected);
  }

  add(numeros: readonly string[]): void {
    this.#set(new Set([...this.selected.get(), ...numeros]));
  }

  clear(): void {
    this.#last = '';
    this.#set(new Set());
  }

  /** Removes those that are no longer listed. */
  keep(listed: readonly string[]): void {
    const selected = this.selected.get();
    if (selected.size > 0) this.#set(new Set(listed.filter((numero) => selected.has(numero))));
  }

  #set(selected: ReadonlySet<string>): void {
    const before = this.selected.get();
    if ([...before, ...selected].some((numero) => before.has(numero) !== selected.has(numero)))
      this.selected.set(selected);
  }
}
