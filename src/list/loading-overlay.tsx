import { useState } from 'react';
import { usePanel, useSelector } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { Late } from '../ui/live-time.tsx';

/** Milliseconds after which a list is late. */
const LIST_DUE_MS = 10_000;

/** Covers the panel while the list is fetched. When the answer is late, it says so and offers to ask again. */
export function LoadingOverlay() {
  const { store, t } = usePanel();
  const isLoading = useSelector(store.snapshot, ({ list }) => list === 'loading');
  const [attempt, setAttempt] = useState(0);
  return (
    isLoading && (
      <div className="overlay">
        <div className="spinner" role="progressbar" aria-label={t(texts.loading)} />
        <div role="status">
          <Late key={attempt} dueMs={LIST_DUE_MS}>
            <div className="empty">
              <p>{t(texts.listLate)}</p>
              <Button
                className="filled"
                onClick={() => {
                  setAttempt(attempt + 1);
                  void store.fetch();
                }}
              >
                {t(texts.retry)}
              </Button>
            </div>
          </Late>
        </div>
      </div>
    )
  );
}
