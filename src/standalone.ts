/** The script for a tag: it defines the element and leaves no global on the page. */
import './index.ts';

// A type only: it gives the element's types to those who import the file.
export type { WhatsappOperadoresElement } from './index.ts';
