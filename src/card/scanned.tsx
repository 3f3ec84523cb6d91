import { useState } from 'react';
import type { SessionRecord } from '../session/record.ts';

/** A short sign, over the picture of a session, that its code was scanned. Decoration: the state is told in words. */
export function Scanned({ record: { session, facts } }: { record: SessionRecord }) {
  // One whose code was gone before is not seen to be scanned.
  const [hadCode, setHadCode] = useState(session.qrCode !== undefined);
  const isScanned = hadCode && (facts.cause === 'authenticated' || facts.cause === 'ready');
  return isScanned && <div className="scanned" onAnimationEnd={() => setHadCode(false)} />;
}
