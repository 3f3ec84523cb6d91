/** The card of a session, where it has one. */
export function cardOf(within: ParentNode, numero: string): Element | null {
  return within.querySelector(`[data-numero="${CSS.escape(numero)}"]`);
}
