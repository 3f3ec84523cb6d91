/** The path of a Firefox, or undefined where there is none. */
export function findFirefox(): string | undefined;
