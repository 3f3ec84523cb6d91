import { QRCodeSVG } from 'qrcode.react';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { usePanel } from '../panel-context.ts';
import { isStarting, type SessionRecord } from '../session/record.ts';
import type { Status } from '../session/status.ts';
import * as texts from '../texts.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { focusFallback } from '../ui/focus.ts';

interface Props {
  readonly code: string;
  readonly record: SessionRecord;
  /** The id of what names the session. */
  readonly titleId: string;
  /** Whether the code is at full size, and cannot be enlarged. */
  readonly large?: boolean | undefined;
}

/** Pixels on a card, and modules of white around the code that scanners need (ISO/IEC 18004). */
const SIZE = 300;
const QUIET_ZONE = 4;

/** Whether a code is dimmed under a cover, since its time is over. */
export function isCovered({ codeLife }: Status): boolean {
  return codeLife === 'ended' || codeLife === 'expired';
}

/**
 * The code to scan, at level H. Drawing it costs more than all else on the page, so that waits for the first paint.
 * A text that no code can hold fails alone.
 */
export function QrCode({ code, record, titleId, large }: Props) {
  const { store, dialog } = usePanel();
  const box = useRef<HTMLDivElement>(null);
  const isDrawn = useTurn(box, large);
  const { status } = record;
  const { numero } = record.session;
  const { codeLife, codeFrom, codeUntil } = status;
  const expired = codeLife === 'expired';
  const act = () => (expired ? store.up(numero) : dialog.set({ kind: 'code', numero }));

  return (
    <div className="qr" data-life={codeLife} ref={box}>
      {isDrawn && (
        <div className="qr-drawing" aria-hidden={isCovered(status) || undefined}>
          <ErrorBoundary resetKey={code} fallback={() => <p role="alert">{texts.undrawable}</p>}>
            <Drawing text={code} numero={numero} />
          </ErrorBoundary>
        </div>
      )}
      {isDrawn && codeFrom !== undefined && codeUntil !== undefined && (
        <Freshness key={codeFrom} from={codeFrom} until={codeUntil} />
      )}
      {expired && <p>{texts.codeCovered}</p>}
      {/* One button whatever it does, so that it keeps the focus when the code expires. */}
      {(expired || !large) && (
        <button
          ref={focusFallback}
          type="button"
          className={expired ? 'tonal' : 'enlarge'}
          aria-label={expired ? undefined : texts.enlarge(numero)}
          aria-haspopup={expired ? undefined : 'dialog'}
          aria-describedby={expired ? titleId : undefined}
          aria-disabled={isStarting(record) || undefined}
          onClick={act}
        >
          {expired && texts.remedies.newCode}
        </button>
      )}
      {expired && (
        <button
          ref={focusFallback}
          type="button"
          className="flat"
          aria-describedby={titleId}
          onClick={() => {
            box.current?.querySelector('button')?.focus();
            store.trustCode(numero);
          }}
        >
          {texts.showAnyway}
        </button>
      )}
    </div>
  );
}

/** Whether a code may be drawn: at once where it is all that one came for. Once drawn, another code takes its place at once. */
function useTurn(box: RefObject<HTMLElement | null>, atOnce = false): boolean {
  const { drawingQueue } = usePanel();
  const [hasCome, setCome] = useState(atOnce);
  useEffect(() => {
    return box.current && !hasCome ? drawingQueue.add(box.current, () => setCome(true)) : undefined;
  }, [box, drawingQueue, hasCome]);
  return hasCome;
}

interface DrawingProps {
  readonly text: string;
  readonly numero: string;
}

const Drawing = memo(function Drawing({ text, numero }: DrawingProps) {
  return (
    <QRCodeSVG value={text} size={SIZE} level="H" marginSize={QUIET_ZONE} title={texts.qrCode(numero)} />
  );
});

interface FreshnessProps {
  /** When the code began and will end, in milliseconds since 1970. Another code needs another element. */
  readonly from: number;
  readonly until: number;
}

/** How much of a code's life is left, as a bar that empties: by CSS alone, nothing renders or ticks. */
function Freshness({ from, until }: FreshnessProps) {
  const [age, setAge] = useState(() => Date.now() - from);
  return (
    <div className="freshness" aria-hidden="true">
      <div
        style={{ animationDuration: `${until - from}ms`, animationDelay: `${-age}ms` }}
        // The animation restarts when the panel was hidden or moved in the page.
        onAnimationStart={() => setAge(Date.now() - from)}
      />
    </div>
  );
}
