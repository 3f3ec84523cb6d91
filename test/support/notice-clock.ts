import { waitFor } from '@testing-library/dom';
import { existing, type Panel } from './panel.ts';

/** Milliseconds that are left to pass by themselves. */
const LEFT_MS = 500;

/**
 * The clock of a notice: the animation of its bar, whose end closes it. A notice that lasts as long as a test may wait is
 * seen on a busy machine, too.
 */
export function clockOf(panel: Panel, notice: HTMLElement): Promise<Animation> {
  const bar = panel.get('progressbar', undefined, existing(notice.parentElement));
  return waitFor(() => existing(bar.getAnimations()[0]));
}

/** Lets the time of a notice pass, but for its last moments. */
export function passTime(clock: Animation): void {
  clock.currentTime = Number(clock.effect?.getTiming().duration) - LEFT_MS;
}
