import { usePanel } from '../context/panel-context.ts';
import { familyOf } from '../session/states.ts';
import * as texts from '../texts/sentences.ts';
import { QrCode, type QrCodeProps } from './qr-code.tsx';

/** Pixels of the placeholder. Narrow cards shrink it. */
const PLACEHOLDER_SIZE = 400;

/** The code of a session, a spinner while it waits, or a drawing of its kind of state. */
export function Picture({ record, titleId, large }: Omit<QrCodeProps, 'code'>) {
  const { t, may } = usePanel();
  const { session, status } = record;
  if (session.qrCode !== undefined && may('codes'))
    return <QrCode code={session.qrCode} record={record} titleId={titleId} large={large} />;
  if (session.waiting)
    return (
      <div
        className="spinner"
        data-stuck={status.asks === 'act' || undefined}
        role="progressbar"
        aria-label={t(texts.waiting)}
      />
    );
  // Decoration: the state is told in words.
  const family = familyOf(session);
  return (
    <svg
      className="placeholder"
      data-asks={family}
      viewBox="0 0 400 400"
      width={PLACEHOLDER_SIZE}
      height={PLACEHOLDER_SIZE}
      aria-hidden="true"
    >
      <use href="#phone" />
      <use href={`#${family}`} />
    </svg>
  );
}
