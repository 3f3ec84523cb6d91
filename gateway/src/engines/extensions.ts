import type { Extension } from '../../../src/wire.ts';

/** The extensions of the contract that need an engine's support. */
const ENGINE_EXTENSIONS = ['unlink', 'pairing', 'ack', 'proxy', 'passkey'] as const satisfies Extension[];
export type EngineExtension = (typeof ENGINE_EXTENSIONS)[number];

export function isEngineExtension(extension: Extension): extension is EngineExtension {
  return ENGINE_EXTENSIONS.some((one) => one === extension);
}
