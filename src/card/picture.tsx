import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { pictureOf } from '../session/states.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useSecondsLeft } from '../ui/time.ts';
import { type RecordProps, RemedyButton } from './advice.tsx';

/** Pixels of a code on a card, and modules of white around it that scanners need (ISO/IEC 18004). */
const CODE_SIZE = 300;
const QUIET_ZONE = 4;

interface Props extends RecordProps {
  /** Whether a code is at full size, and cannot be enlarged. */
  readonly large?: boolean | undefined;
}

/** Decoration, as large as a code with what is around it: the state is told in words. */
const ghost = (
  <svg
    className="placeholder"
    viewBox="0 0 400 400"
    width={400}
    height={400}
    // Cut at its edges rather than small below its glyph.
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
  >
    <use href="#ghost" />
  </svg>
);

/** The code of a session; or the shape of one, below a spinner while it waits, or a glyph for its kind of state. */
export function Picture({ record, titleId, large }: Props) {
  const { t, may } = usePanel();
  const { session, status } = record;
  const code = may('codes') ? session.qrCode : undefined;
  const picture = pictureOf(record);
  return (
    <div
      className={large ? 'picture large-code' : 'picture'}
      part={large ? undefined : 'picture'}
      data-asks={code === undefined ? picture : status.asks}
    >
      {code === undefined && ghost}
      {code !== undefined ? (
        <QrCode code={code} record={record} titleId={titleId} large={large} />
      ) : session.waiting ? (
        <div
          className="spinner"
          data-stuck={status.asks === 'act' || undefined}
          role="progressbar"
          aria-label={t(texts.waiting)}
        />
      ) : (
        <svg className="glyph" viewBox="0 0 24 24" aria-hidden="true">
          <use href={`#${picture}`} />
        </svg>
      )}
      {code !== undefined && !large && status.codeFrom !== undefined && (
        <Freshness from={status.codeFrom} until={status.codeUntil} />
      )}
    </div>
  );
}

/**
 * The code to scan, at level H. Drawing it costs more than the rest of the page, so it waits for the first paint. A text
 * that does not fit in a code fails alone.
 */
function QrCode({ code, record, titleId, large }: Props & { readonly code: string }) {
  const { store, t, cards } = usePanel();
  const box = useRef<HTMLDivElement>(null);
  // In the dialog the code is drawn at once, and so is each code that replaces a drawn one.
  const [isDrawn, setDrawn] = useState(large);
  useEffect(
    () => (box.current && !isDrawn ? cards.drawLater(box.current, () => setDrawn(true)) : undefined),
    [cards, isDrawn],
  );
  const { numero } = record.session;
  const { codeLife } = record.status;
  const expired = codeLife === 'expired';
  const title = t(texts.qrCode, numero);
  // Black on white with its quiet zone in every theme: many phones cannot read an inverted code.
  const drawing = useMemo(
    () => <QRCodeSVG value={code} size={CODE_SIZE} level="H" marginSize={QUIET_ZONE} title={title} />,
    [code, title],
  );

  return (
    <div className="qr" data-life={codeLife} ref={box}>
      {isDrawn ? (
        <div className="qr-drawing" aria-hidden={codeLife === 'ended' || expired || undefined}>
          <ErrorBoundary
            shown={code}
            fallback={() => (
              <p role="alert" className="failure">
                {t(texts.undrawable)}
              </p>
            )}
          >
            {drawing}
          </ErrorBoundary>
        </div>
      ) : (
        ghost
      )}
      {expired && <p>{t(texts.codeCovered)}</p>}
      {/* One button for both actions, so that it keeps the focus when the code expires. */}
      {(expired || !large) && (
        <RemedyButton
          record={record}
          titleId={titleId}
          remedy={expired ? 'newCode' : 'code'}
          className={large ? 'filled' : 'outlined'}
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

/** How much of a code's life is left, as a bar that empties. */
function Freshness({ from, until = 0 }: { from: number; until: number | undefined }) {
  const left = (1000 * useSecondsLeft(until)) / (until - from);
  return <div className="freshness" aria-hidden="true" style={{ scale: `${left} 1` }} />;
}
