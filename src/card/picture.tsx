import type { Known } from '../session/session-map.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { placeholderImage } from './placeholder-image.tsx';
import { QrCode } from './qr-code.tsx';

interface Props {
  readonly store: Store;
  readonly known: Known;
  /** Of what says whose picture it is. */
  readonly titleId: string;
  /** Shows a code at full size; without it, it is. */
  readonly onEnlarge?: () => void;
}

/** The code of a session, a spinner while it waits, or a drawing (spec §2). */
export function Picture({ store, known, titleId, onEnlarge }: Props) {
  const { session, situation } = known;
  if (session.qrCode) return <QrCode store={store} {...known} titleId={titleId} onEnlarge={onEnlarge} />;
  if (session.waiting) {
    return (
      <div className="spinner" data-stuck={situation.stuck} role="progressbar" aria-label={texts.waiting} />
    );
  }
  return placeholderImage;
}
