/** A raw HTTP/1.1 answer. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/;
const HEADER = /^([\w-]+): ([\x20-\x7e]*)$/;
/** Statuses without a body. */
const BARE = new Set([100, 204, 304]);

/**
 * Parses consecutive answers. Throws if one is invalid; the end of the last one may be missing.
 *
 * @param toHead whether some may answer a HEAD, and so have no body
 */
export function readAnswers(bytes: Buffer, toHead: boolean): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`No end of the headers in ${JSON.stringify(rest.slice(0, 500))}`);
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const [, status] = STATUS_LINE.exec(first) ?? [];
    if (status === undefined) throw new Error(`No status line: ${JSON.stringify(first)}`);
    const headers = new Map(lines.map(readHeader));
    rest = rest.slice(end + 4);
    const isOver = rest === '' || rest.startsWith('HTTP/1.1 ');
    const bare = BARE.has(Number(status)) || (toHead && isOver);
    const { body, length } = bare ? { body: '', length: 0 } : readBody(rest, headers);
    answers.push({ status: Number(status), headers, body: Buffer.from(body, 'latin1').toString('utf8') });
    rest = rest.slice(length);
  }
  return answers;
}

function readHeader(line: string): [name: string, value: string] {
  const [, name, value = ''] = HEADER.exec(line) ?? [];
  if (name === undefined) throw new Error(`No header: ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}

/** Returns the body, and how many bytes it took. */
function readBody(rest: string, headers: ReadonlyMap<string, string>): { body: string; length: number } {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const size = headers.get('content-length');
  if (size === undefined) {
    if (headers.get('connection') === 'close') return { body: rest, length: rest.length };
    throw new Error('A body without a length');
  }
  if (!/^\d+$/.test(size)) throw new Error(`No length: ${size}`);
  const length = Number(size);
  return { body: rest.slice(0, length), length };
}

function readChunks(rest: string): { body: string; length: number } {
  let body = '';
  let at = 0;
  for (;;) {
    const [line, size = ''] = /^([0-9a-f]+)\r\n/i.exec(rest.slice(at, at + 20)) ?? [];
    if (line === undefined) throw new Error(`No chunk: ${JSON.stringify(rest.slice(at, at + 50))}`);
    at += line.length;
    const length = Number.parseInt(size, 16);
    body += rest.slice(at, at + length);
    at += length + 2;
    if (length === 0) return { body, length: at };
  }
}
