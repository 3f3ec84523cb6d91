import { useState } from 'react';
import type { Day } from '../session/days.ts';
import * as texts from '../texts.ts';
import { dayAndMonth, lasting, minutesIn } from '../ui/time.ts';

/** Of the drawing, in its own units. */
const STEP = 10;
const HEIGHT = 60;
/** How high a bar is: for no data, for a day without an outage, and for outages of a minute and of a day. */
const [NO_DATA, WELL, SHORTEST, LONGEST] = [2, 8, 12, 42];
const MOST_DOTS = 3;
const DAY_MIN = 24 * 60;

/**
 * A bar for each day: the longer a session was away, the higher, below a dot for each drop. A native slider chooses a day,
 * which is told in words: it is one stop for Tab, keys and fingers move it, and screen readers say its value.
 */
export function DayStrip({ days }: { days: readonly Day[] }) {
  const last = days.length - 1;
  const [chosen, choose] = useState(last);
  const day = days[chosen];
  const words = day && inWords(day);
  return (
    <div className="days">
      <input
        type="range"
        max={last}
        value={chosen}
        aria-label={texts.lastDays}
        aria-valuetext={words}
        onChange={({ target }) => choose(Number(target.value))}
      />
      <svg viewBox={`0 0 ${STEP * days.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((one, index) => (
          <path key={one.begin} data-asks={asksOn(one)} d={drawing(one, STEP * index + 1)} />
        ))}
        <rect x={STEP * chosen} width={STEP} height={HEIGHT} />
      </svg>
      <p>{words}</p>
    </div>
  );
}

const isWell = ({ drops, away }: Day) => drops === 0 && away === 0;

const asksOn = (day: Day) => (day.drops === undefined ? undefined : isWell(day) ? 'nothing' : 'act');

/** The bar of a day with its dots, as a path. */
function drawing(day: Day, x: number): string {
  const { drops, away } = day;
  const box = (bottom: number, height: number) => `M${x} ${HEIGHT - bottom}v${-height}h8v${height}z`;
  if (drops === undefined) return box(0, NO_DATA);
  if (isWell(day)) return box(0, WELL);
  // Most outages last minutes.
  const share = Math.log1p(minutesIn(away)) / Math.log1p(DAY_MIN);
  const height = Math.round(SHORTEST + (LONGEST - SHORTEST) * Math.min(1, share));
  const dots = Array.from({ length: Math.min(drops, MOST_DOTS) }, (_, dot) => box(height + 2 + 6 * dot, 4));
  return [box(0, height), ...dots].join('');
}

function inWords({ begin, drops, away }: Day): string {
  const name = dayAndMonth(begin);
  return drops === undefined ? texts.noData(name) : texts.dayOf(name, drops, lasting(away));
}
