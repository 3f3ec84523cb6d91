import type { SessionRecord } from '../session/record.ts';
import { familyOf } from '../session/states.ts';
import * as texts from '../texts.ts';
import { QrCode } from './qr-code.tsx';
import { Scanned } from './scanned.tsx';

/** Pixels of the placeholder (spec §9). Narrow cards shrink it. */
const PLACEHOLDER_SIZE = 400;

/**
 * The code of a session, a spinner while it waits, or a drawing of its kind of state (spec §2). Not a component: of
 * thousands, each would cost memory.
 *
 * @param titleId - the id of what names the session
 * @param large - whether the code is at full size, and cannot be enlarged
 */
export function pictureOf(record: SessionRecord, titleId: string, large?: 'large') {
  const { code } = record.facts;
  return (
    <>
      {drawing(record, titleId, large)}
      {code && <Scanned key={code.text} record={record} />}
    </>
  );
}

function drawing(record: SessionRecord, titleId: string, large: 'large' | undefined) {
  const { session, status } = record;
  if (session.qrCode !== undefined) {
    return <QrCode code={session.qrCode} record={record} titleId={titleId} large={!!large} />;
  }
  if (session.waiting) {
    return (
      <div
        className="spinner"
        data-stuck={status.asks === 'act' || undefined}
        role="progressbar"
        aria-label={texts.waiting}
      />
    );
  }
  // Decoration: the state is told in words.
  const family = familyOf(session);
  return (
    <svg
      className="placeholder"
      data-family={family}
      viewBox="0 0 400 400"
      width={PLACEHOLDER_SIZE}
      height={PLACEHOLDER_SIZE}
      aria-hidden="true"
    >
      <use href={`#${family}`} />
    </svg>
  );
}
