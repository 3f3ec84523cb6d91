import { NOISE_WA_HEADER } from '@whiskeysockets/baileys';

// A frame is its length in three bytes, then that many bytes. Frames and WebSocket messages need not coincide.

export function frame(data: Uint8Array): Buffer {
  const length = Buffer.alloc(3);
  length.writeUIntBE(data.byteLength, 0, 3);
  return Buffer.concat([length, data]);
}

const ROUTING = Buffer.from('ED\0\x01');

/** Splits what a client sends into frames; a header precedes the first one. */
export class FrameReader {
  #bytes = Buffer.alloc(0);
  #introduced = false;

  *read(data: Buffer): Generator<Buffer> {
    this.#bytes = Buffer.concat([this.#bytes, data]);
    if (!this.#introduced) this.#readHeader();
    for (;;) {
      if (this.#bytes.length < 3) return;
      const end = 3 + this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < end) return;
      const content = this.#bytes.subarray(3, end);
      this.#bytes = this.#bytes.subarray(end);
      yield content;
    }
  }

  #readHeader(): void {
    let start = 0;
    // A client that knows its data centre sends it first.
    if (this.#bytes.subarray(0, ROUTING.length).equals(ROUTING)) start = 7 + this.#bytes.readUIntBE(4, 3);
    const header = this.#bytes.subarray(start, start + NOISE_WA_HEADER.length);
    if (!header.equals(NOISE_WA_HEADER)) throw new Error('Not the header of a WhatsApp client');
    this.#bytes = this.#bytes.subarray(start + NOISE_WA_HEADER.length);
    this.#introduced = true;
  }
}
