import { useSession } from '../panel-context.ts';
import { ANSWER_DUE_MS } from '../session/status.ts';
import * as texts from '../texts.ts';
import { useLate } from '../ui/live-time.tsx';
import { time } from '../ui/time.ts';

interface Props {
  /** The session that sent it. */
  readonly numero: string;
  /** The server's id of the message. */
  readonly id: string;
  /** What is shown until more is known. */
  readonly accepted: string;
}

/** What has become of a test message, live. */
export function Arrival({ numero, id, accepted }: Props) {
  const message = useSession(numero)?.lastMessage;
  if (message?.id !== id || message.status === 'accepted') return <Unconfirmed accepted={accepted} />;
  const { status, error, at } = message;
  return (
    <span role="status" data-status={status}>
      {status === 'failed' ? texts.undelivered(error) : texts.at(texts.acks[status], time(at))}
    </span>
  );
}

function Unconfirmed({ accepted }: Pick<Props, 'accepted'>) {
  const isLate = useLate(ANSWER_DUE_MS);
  return (
    <span role="status" data-status={isLate ? 'late' : undefined}>
      {isLate ? texts.unacked : accepted}
    </span>
  );
}
