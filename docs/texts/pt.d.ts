import type { Texts } from '../../dist/types/index.js';

export const portuguese: Required<Texts>;
