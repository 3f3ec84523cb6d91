/** What the script tag loads: the tag and nothing else, so that no global is left on the page. */
import { define } from './define.ts';

// With it, who loads the file by an import statement has the element's types; no code comes of it.
export type { WhatsappOperadoresElement } from './index.ts';

define();
