export function findNginx(): string | undefined;
export function findCaddy(): string | undefined;
