/** Runs tasks at its end, in the order of the calls. A test of Node's runner is a scope. */
export interface Scope {
  after(task: () => unknown): void;
}
