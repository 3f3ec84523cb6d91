import { useState } from 'react';
import { usePanel, useSelector } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { useLate } from '../ui/live-time.tsx';

/** Milliseconds after which a list is late. */
const LIST_DUE_MS = 10_000;

/** Covers the panel while the list is fetched. When the answer is late, it says so and offers to ask again. */
export function LoadingOverlay() {
  const isLoading = useSelector(usePanel().store.snapshot, ({ list }) => list === 'loading');
  const [attempt, setAttempt] = useState(0);
  return (
    isLoading && (
      <div className="overlay">
        <div className="spinner" role="progressbar" aria-label={texts.loading} />
        <LateList key={attempt} onRetry={() => setAttempt(attempt + 1)} />
      </div>
    )
  );
}

function LateList({ onRetry }: { onRetry: () => void }) {
  const { store } = usePanel();
  const late = useLate(LIST_DUE_MS);
  return (
    <div className="overlay-late" role="status">
      {late && (
        <>
          <p>{texts.listLate}</p>
          <Button
            className="filled"
            onClick={() => {
              onRetry();
              void store.fetch();
            }}
          >
            {texts.retry}
          </Button>
        </>
      )}
    </div>
  );
}
