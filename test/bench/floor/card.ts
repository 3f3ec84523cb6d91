import type { Session } from '../../../src/session/session.ts';
import { asksOf, type Condition, conditionByState } from '../../../src/session/states.ts';
import * as texts from '../../../src/texts/sentences.ts';
import { createTranslate } from '../../../src/texts/translate.ts';
import { STATES } from '../../../src/wire.ts';
import { drawCode } from './drawing.ts';
import { enqueue } from './drawing-queue.ts';
import { cloneOf, part } from './template.ts';

export interface FloorCard {
  readonly element: HTMLElement;
  /** @param pushed whether it is news: then a code has its whole life before it */
  show(session: Session, pushed?: boolean): void;
  /** Codes are drawn while the browser renders their card. */
  setRendered(rendered: boolean): void;
}

const t = createTranslate();
const SENTENCES: Partial<Record<Condition, string>> = texts.conditions;

let lastId = 0;

/** A card with the markup of the panel's own; the ids tie the same things together. */
export function createCard(first: Session): FloorCard {
  const { numero } = first;
  const element = cloneOf('card');
  lastId += 1;
  const [titleId, textId, numberId, endingId] = ['h', 't', 'n', 'e'].map((kind) => kind + lastId);
  element.dataset.numero = numero;
  element.setAttribute('aria-labelledby', titleId ?? '');
  const title = part(element, 'h3');
  title.id = titleId ?? '';
  title.textContent = numero;
  const history = part(element, '.icon');
  history.title = t(texts.historyTitle, numero);
  history.setAttribute('aria-label', history.title);
  const [text, to] = element.querySelectorAll('input');
  const [textLabel, numberLabel] = element.querySelectorAll('label');
  if (!text || !to || !textLabel || !numberLabel) throw new Error('The card has not its two fields');
  text.id = textLabel.htmlFor = textId ?? '';
  to.id = numberLabel.htmlFor = numberId ?? '';
  part(element, '.ending').id = endingId ?? '';
  text.setAttribute('aria-describedby', titleId ?? '');
  to.setAttribute('aria-describedby', `${titleId} ${endingId}`);
  for (const button of element.querySelectorAll('.test-message button, .actions button')) {
    button.setAttribute('aria-describedby', titleId ?? '');
  }

  const picture = part(element, '.picture');
  const state = part(element, '.state');
  const advice = part(element, '.advice p');
  let shown: Session | undefined;
  let rendered = false;
  let drawn: string | undefined;

  function draw(): void {
    if (shown?.qrCode === drawn || !rendered || !shown?.qrCode) return;
    drawn = shown.qrCode;
    drawCode(part(picture, '.qr'), drawn, numero);
  }

  function show(session: Session, pushed = false): void {
    const before = shown;
    shown = session;
    if (session.state !== before?.state) state.textContent = session.state;
    const asks = asksOf(session);
    if (asks !== state.dataset.asks) state.dataset.asks = asks;
    const explanation = explain(session);
    if (explanation !== advice.textContent) advice.textContent = explanation;
    if (session.qrCode !== undefined) {
      if (before?.qrCode === undefined) picture.replaceChildren(codeBox(numero));
      if (pushed) renewFreshness(part(picture, '.qr'));
      draw();
    } else if (!before || before.qrCode !== undefined || before.waiting !== session.waiting) {
      drawn = undefined;
      picture.replaceChildren(cloneOf(session.waiting ? 'spinner' : 'placeholder'));
    }
  }

  show(first);
  return {
    element,
    show,
    setRendered(now) {
      rendered = now;
      if (now) enqueue(draw);
      else if (drawn !== undefined) {
        drawn = undefined;
        picture.querySelector('svg')?.remove();
      }
    },
  };
}

function codeBox(numero: string): HTMLElement {
  const box = cloneOf('code');
  part(box, 'button').setAttribute('aria-label', t(texts.enlarge, numero));
  return box;
}

function renewFreshness(box: HTMLElement): void {
  const bar = cloneOf('freshness');
  bar.style.animationDuration = '20s';
  box.querySelector('.freshness')?.remove();
  box.lastElementChild?.before(bar);
}

function explain(session: Session): string {
  const condition = conditionByState(session);
  const isDue = condition === STATES.authenticating && session.waiting;
  return SENTENCES[isDue ? 'codeDue' : condition] ?? texts.conditions.unknown;
}
