/** The path of a browser of the Chromium family, or undefined where there is none. */
export function findChromium(): string | undefined;
export const CHROMIUM_FLAGS: string[];
