import { ANSWER_DUE_MS } from '../session/status.ts';
import { useLate } from './use-late.ts';

/** Says so when the answer that is waited for takes longer than it should. It is there while it is waited for. */
export function LateAnswer({ text }: { text: string }) {
  return useLate(ANSWER_DUE_MS) && text;
}
