import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { pictureOf } from '../session/states.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ghost, icons } from '../ui/icons.tsx';
import { type RecordProps, RemedyButton } from './advice.tsx';

/** Pixels of a code on a card, and modules of white around it that scanners need (ISO/IEC 18004). */
const CODE_SIZE = 300;
const QUIET_ZONE = 4;

interface Props extends RecordProps {
  /** Whether a code is at full size, and cannot be enlarged. */
  readonly large?: boolean | undefined;
}

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
      data-asks={picture}
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
        icons[picture]
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
  const isOver = expired || codeLife === 'ended';
  const title = t(texts.qrCode, numero);
  // Black on white with its quiet zone in every theme: many phones cannot read an inverted code.
  const drawing = useMemo(
    () => <QRCodeSVG value={code} size={CODE_SIZE} level="H" marginSize={QUIET_ZONE} title={title} />,
    [code, title],
  );

  return (
    <div className="qr" data-over={isOver || undefined} ref={box}>
      {isDrawn ? (
        <div className="qr-drawing" aria-hidden={isOver || undefined}>
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
          className={!expired ? 'enlarge' : large ? 'filled' : 'outlined'}
          {...(!expired && {
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
