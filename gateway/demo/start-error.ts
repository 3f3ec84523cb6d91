/** The demonstration cannot start; the message is for the person who wants to see it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
