import { useState } from 'react';
import type { SessionRecord } from '../session/session-map.ts';

/** A short sign, over the picture of a session, that its code was scanned. Decoration: the state is told in words. */
export function Scanned({ record: { session, facts } }: { record: SessionRecord }) {
  const [hadCode, setHadCode] = useState(false);
  if (session.qrCode !== undefined) {
    if (!hadCode) setHadCode(true);
    return null;
  }
  const isScanned = hadCode && (facts.cause === 'authenticated' || facts.cause === 'ready');
  return isScanned && <div className="scanned" onAnimationEnd={() => setHadCode(false)} />;
}
