/** What is on either page, found by the markup that they share. */

export function shadowRoot(): ShadowRoot | undefined {
  return document.body?.firstElementChild?.shadowRoot ?? undefined;
}

export function firstCard(): Element | undefined {
  return shadowRoot()?.querySelector('article') ?? undefined;
}

/** Looked up once: to search for each among thousands would be the longest task of all. */
export function cardsByNumero(): [string, Element][] {
  const cards = [...(shadowRoot()?.querySelectorAll('article') ?? [])];
  return cards.map((card) => [card.getAttribute('data-numero') ?? '', card]);
}

export function stateOf(card: Element | undefined): string | undefined {
  return card?.querySelector('.state')?.textContent ?? undefined;
}

/** The path of the code that is drawn on a card. */
export function drawingOf(card: Element | undefined): string | undefined {
  return card?.querySelector('svg[role=img] path:last-of-type')?.getAttribute('d') ?? undefined;
}

export function shownCount(): number {
  return shadowRoot()?.querySelectorAll('article:not([hidden])').length ?? 0;
}
