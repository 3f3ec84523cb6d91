import type { KeyboardEvent } from 'react';
import type { Cards } from '../card/cards.ts';
import type { Nearness } from '../card/nearness.ts';
import { isElement } from '../ui/guards.ts';

const TOGGLE = '.row-toggle';
/** The controls of a closed row. */
const CONTROLS = [TOGGLE, '.remedy', '.select-box input'];

/**
 * The arrows move the focus to the next row or the one before: to the same control, where that row has it, or to the one
 * that opens it. Escape closes an open row. In a field the arrows are the field's.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>, cards: Cards, nearness: Nearness): void {
  const { key, target, currentTarget } = event;
  if (event.altKey || event.nativeEvent.isComposing || event.isDefaultPrevented()) return;
  const row = isElement(target) ? target.closest('article') : null;
  if (!isElement(target) || !row) return;
  if (key === 'Escape' && row.hasAttribute('data-opened')) {
    // Nor does it close what the page shows the panel in.
    event.preventDefault();
    focusIn(row, TOGGLE);
    cards.update(row.getAttribute('data-numero') ?? '', { opened: false });
  }
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || target.matches('input:not([type="checkbox"])')) return;
  const rows = [...currentTarget.querySelectorAll('article:not([hidden])')];
  const other = rows[rows.indexOf(row) + step];
  if (!other) return;
  event.preventDefault();
  nearness.enter(other);
  const control = CONTROLS.find((selector) => target.matches(selector)) ?? TOGGLE;
  if (!focusIn(other, control)) focusIn(other, TOGGLE);
}

function focusIn(row: Element, selector: string): boolean {
  const control = row.querySelector<HTMLElement>(selector);
  control?.focus();
  return control !== null;
}
