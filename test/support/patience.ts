/** How long a test waits for what must come, in milliseconds: long enough for a machine that is busy with other tests. */
export const PATIENCE = 60_000;
