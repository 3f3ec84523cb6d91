export function findPrototype(): string | undefined;
