export function findPrometheus(): string | undefined;
export function findPromtool(): string | undefined;
