import { QRCodeSVG } from 'qrcode.react';
import { memo, useEffect, useRef, useState } from 'react';
import { usePanel } from '../context/panel-context.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { type RecordProps, RemedyButton } from './advice.tsx';

/** Pixels on a card, and modules of white around the code that scanners need (ISO/IEC 18004). */
const SIZE = 300;
const QUIET_ZONE = 4;

export interface QrCodeProps extends RecordProps {
  readonly code: string;
  /** Whether the code is at full size, and cannot be enlarged. */
  readonly large?: boolean | undefined;
}

/**
 * The code to scan, at level H. Drawing it costs more than the rest of the page, so it waits for the first paint. A text
 * that does not fit in a code fails alone.
 */
export function QrCode({ code, record, titleId, large }: QrCodeProps) {
  const { store, t, cards } = usePanel();
  const box = useRef<HTMLDivElement>(null);
  // In the dialog the code is drawn at once, and so is each code that replaces a drawn one.
  const [isDrawn, setDrawn] = useState(large);
  useEffect(
    () => (box.current && !isDrawn ? cards.drawLater(box.current, () => setDrawn(true)) : undefined),
    [cards, isDrawn],
  );
  const { numero } = record.session;
  const { codeLife, codeFrom, codeUntil } = record.status;
  const expired = codeLife === 'expired';

  return (
    <div className="qr" data-life={codeLife} ref={box}>
      {isDrawn && (
        <>
          <div className="qr-drawing" aria-hidden={codeLife === 'ended' || expired || undefined}>
            <ErrorBoundary shown={code} fallback={() => <p role="alert">{t(texts.undrawable)}</p>}>
              <Drawing text={code} numero={numero} />
            </ErrorBoundary>
          </div>
          {codeFrom !== undefined && codeUntil !== undefined && (
            <Freshness from={codeFrom} until={codeUntil} />
          )}
        </>
      )}
      {expired && <p>{t(texts.codeCovered)}</p>}
      {/* One button for both actions, so that it keeps the focus when the code expires. */}
      {(expired || !large) && (
        <RemedyButton
          record={record}
          titleId={titleId}
          remedy={expired ? 'newCode' : 'code'}
          {...(!expired && {
            className: 'enlarge',
            'aria-label': t(texts.enlarge, numero),
            part: undefined,
            children: '',
          })}
        />
      )}
      {expired && (
        <Button
          aria-describedby={titleId}
          onClick={() => {
            box.current?.querySelector('button')?.focus();
            store.trustCode(numero);
          }}
        >
          {t(texts.showAnyway)}
        </Button>
      )}
    </div>
  );
}

/** Black on white with its quiet zone in every theme: many phones cannot read an inverted code. */
const Drawing = memo(function Drawing({ text, numero }: { text: string; numero: string }) {
  const { t } = usePanel();
  return (
    <QRCodeSVG value={text} size={SIZE} level="H" marginSize={QUIET_ZONE} title={t(texts.qrCode, numero)} />
  );
});

/** How much of a code's life is left, as a bar that empties: nothing renders or ticks. */
function Freshness({ from, until }: { from: number; until: number }) {
  const bar = useRef<HTMLDivElement>(null);
  // By script: an animation by CSS starts again where the panel is moved or hidden.
  useEffect(() => {
    const life = bar.current?.animate(
      { scale: '0 1' },
      // In steps, for those who want no motion.
      { duration: until - from, delay: from - Date.now(), easing: 'steps(60)', fill: 'both' },
    );
    return () => life?.cancel();
  }, [from, until]);
  return (
    <div className="freshness" aria-hidden="true">
      <div ref={bar} />
    </div>
  );
}

/** What to do with the phone of a session, one after the other. */
export function Steps({ steps, numero }: { steps: readonly Sentence[]; numero: string }) {
  const { t } = usePanel();
  return (
    <ol>
      {steps.map((step) => (
        <li key={step}>{t(step, numero)}</li>
      ))}
    </ol>
  );
}
