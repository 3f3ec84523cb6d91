import type { KeyboardEvent } from 'react';
import type { Cards } from '../context/cards.ts';
import type { Nearness } from '../context/nearness.ts';
import { isElement } from '../ui/guards.ts';

const TOGGLE = '.row-toggle';
/** The controls of a closed row. */
const CONTROLS = [TOGGLE, '.remedy', '[aria-haspopup="menu"]', '.select-box input'];

/**
 * The arrows move the focus to the next row or the one before: to the same control, where that row has it, or to the one
 * that opens it. Escape closes an open row. In a field the arrows are the field's.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>, cards: Cards, nearness: Nearness): void {
  const { key, target, currentTarget } = event;
  if (event.altKey || event.isDefaultPrevented() || !isElement(target)) return;
  const row = target.closest('article');
  if (!row) return;
  if (key === 'Escape' && row.hasAttribute('data-opened')) {
    // It must not close the part of the page that shows the panel, too.
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
  focusIn(other, CONTROLS.find((selector) => target.matches(selector)) ?? TOGGLE);
}

/** Focuses a control of a row, or where the row has none like it, the one that opens it. */
function focusIn(row: Element, selector: string): void {
  const control = row.querySelector<HTMLElement>(selector);
  (control?.checkVisibility() ? control : row.querySelector<HTMLElement>(TOGGLE))?.focus();
}
