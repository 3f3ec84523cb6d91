/** Gives what is started an end: the tasks run when the scope is over, in the order of the calls. A test is one. */
export interface Scope {
  after(task: () => unknown): void;
}
