import { useState } from 'react';

interface Props {
  /** From when to when the code lives, in milliseconds since 1970. Another code needs a new one of these. */
  readonly from: number;
  readonly until: number;
}

/** How much of a code's life is left, as a bar that empties. The style does it alone: nothing renders or ticks. */
export function Freshness({ from, until }: Props) {
  const [age, setAge] = useState(() => Date.now() - from);
  return (
    <div className="freshness" aria-hidden="true">
      <div
        style={{ animationDuration: `${until - from}ms`, animationDelay: `${-age}ms` }}
        // It begins anew when the panel was hidden or moved in the page: the code has aged meanwhile.
        onAnimationStart={() => setAge(Date.now() - from)}
      />
    </div>
  );
}
