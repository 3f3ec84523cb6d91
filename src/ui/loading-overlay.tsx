import { useState } from 'react';
import * as texts from '../texts.ts';
import { focusFallback } from './focus.ts';
import { useLate } from './late-answer.tsx';

/** Milliseconds after which a list is late. */
const LIST_DUE_MS = 10_000;

/** Covers the panel while the list is fetched (spec §2). When the answer is late, it says so and offers to ask again. */
export function LoadingOverlay({ onRetry }: { onRetry: () => void }) {
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setAttempt(attempt + 1);
    onRetry();
  };
  return (
    <div className="overlay">
      <div className="spinner" role="progressbar" aria-label={texts.loading} />
      <LateList key={attempt} onRetry={retry} />
    </div>
  );
}

function LateList({ onRetry }: { onRetry: () => void }) {
  const late = useLate(LIST_DUE_MS);
  return (
    <div className="overlay-late" role="status">
      {late && (
        <>
          <p>{texts.listLate}</p>
          <button ref={focusFallback} type="button" className="filled" onClick={onRetry}>
            {texts.retry}
          </button>
        </>
      )}
    </div>
  );
}
