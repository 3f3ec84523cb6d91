import { QRCodeSVG } from 'qrcode.react';
import { memo, useRef } from 'react';
import type { Session } from '../session/session.ts';
import type { Situation } from '../session/status.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useFocusKept } from '../ui/focus.ts';
import { useBusy } from '../ui/use-busy.ts';
import { Freshness } from './freshness.tsx';
import { useRendered } from './use-rendered.ts';

interface Props {
  readonly store: Store;
  readonly session: Session;
  readonly situation: Situation;
  /** Of what says whose code it is. */
  readonly titleId: string;
  /** Shows it at full size; without it, it is. */
  readonly onEnlarge?: (() => void) | undefined;
}

interface DrawingProps {
  readonly text: string;
  readonly numero: string;
}

/** Pixels on a card, and modules of white around the code that scanners need (spec §9; ISO/IEC 18004). */
const SIZE = 300;
const QUIET_ZONE = 4;

/**
 * The code to scan, at level H, for as long as it can be scanned. Drawing one costs more than all else on the page,
 * so it is drawn only while the browser renders its card. A text that no code can hold fails alone.
 */
export function QrCode({ store, session, situation, titleId, onEnlarge }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rendered = useRendered(box);
  const [busy, run] = useBusy();
  useFocusKept(box);
  const { numero, qrCode = '' } = session;
  const { codeLife, codeFrom, codeUntil } = situation;
  const expired = codeLife === 'expired';
  const act = expired ? () => run(() => store.up(numero)) : onEnlarge;

  return (
    <div className="qr" data-life={codeLife} ref={box}>
      {rendered && codeLife === 'fresh' && (
        <ErrorBoundary of={qrCode} fallback={() => <p role="alert">{texts.undrawable}</p>}>
          <Drawing text={qrCode} numero={numero} />
        </ErrorBoundary>
      )}
      {rendered && codeFrom !== undefined && codeUntil !== undefined && (
        <Freshness key={codeFrom} from={codeFrom} until={codeUntil} />
      )}
      {expired && <p>{texts.codeCovered}</p>}
      {/* One button whatever it does, so that the focus on it stays when the code runs out. */}
      {act && (
        <button
          type="button"
          className={expired ? 'tonal' : 'enlarge'}
          aria-label={expired ? undefined : texts.enlarge(numero)}
          aria-haspopup={expired ? undefined : 'dialog'}
          aria-describedby={expired ? titleId : undefined}
          aria-disabled={busy || undefined}
          onClick={act}
        >
          {expired && texts.anotherCode}
        </button>
      )}
    </div>
  );
}

const Drawing = memo(function Drawing({ text, numero }: DrawingProps) {
  return (
    <QRCodeSVG value={text} size={SIZE} level="H" marginSize={QUIET_ZONE} title={texts.qrCode(numero)} />
  );
});
