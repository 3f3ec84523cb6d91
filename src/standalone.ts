/** The script for a tag: it defines the element and leaves no global on the page. */
// The packages come first: our own code is then in one piece, and gzip makes half a kilobyte less of it.
import 'react-dom/client';
import 'qrcode.react';
import 'socket.io-client';
import 'react-toastify/unstyled';
import { define } from './define.ts';

// A type only: it gives the element's types to those who import the file.
export type { WhatsappOperadoresElement } from './index.ts';

define();
