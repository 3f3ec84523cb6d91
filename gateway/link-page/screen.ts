import { digitGroups } from '../../src/ui/digits.ts';
import type { Store } from './passkey.ts';
import { drawQr } from './qr.ts';
import * as texts from './texts.ts';

/** What the screen shows of a code to type. */
export type CodeBox =
  | { readonly kind: 'asking' }
  | { readonly kind: 'code'; readonly code: string; readonly left: string }
  | { readonly kind: 'none'; readonly text: string; readonly button: string };

/** The part of the card that is shown; the others are hidden. */
export type Part =
  | { readonly kind: 'wait'; readonly text: string }
  | { readonly kind: 'ask'; readonly text: string; readonly button: string; readonly busy: boolean }
  | { readonly kind: 'scan'; readonly qrCode: string | undefined }
  | { readonly kind: 'type'; readonly box: CodeBox }
  | {
      readonly kind: 'passkey';
      readonly text: string;
      /** To compare with that on the phone. */
      readonly code?: string;
      /** Where to install what is missing. */
      readonly store?: Store;
      /** Absent where there is nothing to do here. */
      readonly button?: string;
      readonly busy: boolean;
    }
  | { readonly kind: 'over'; readonly good: boolean; readonly text: string; readonly next: string };

interface Screen {
  readonly numero: string;
  readonly name: string;
  readonly part: Part;
  /** About the connection; empty while there is nothing to say. */
  readonly lost: string;
  /** How long the link lasts; empty while there is none. */
  readonly left: string;
}

/** What the person can do. */
interface Actions {
  choose(way: 'scan' | 'type'): void;
  start(): void;
  pair(): void;
  passkey(): void;
  /** Returns whether the code is in the clipboard. */
  copy(shown: HTMLElement, button: HTMLElement): Promise<boolean>;
}

/** Drawings and texts change only where they differ, so that a screen reader says nothing twice and no focus is lost. */
export class View {
  #qrCode: string | undefined;
  #code = '';

  constructor() {
    show('main', true);
  }

  /** Says what the controls do. */
  act(actions: Actions): void {
    for (const way of ['scan', 'type'] as const)
      choiceOf(way).addEventListener('change', () => actions.choose(way));
    onPress('start', () => actions.start());
    onPress('pair', () => actions.pair());
    onPress('passkey-go', () => actions.passkey());
    onPress('copy', async (button) => {
      const copied = await actions.copy(byId('code'), button);
      setText('copy', copied ? texts.copied : texts.copyAgain);
      this.tell(copied ? texts.copied : texts.notCopied);
    });
  }

  render({ numero, name, part, lost, left }: Screen): void {
    const focused = document.activeElement;
    const isOver = !byId('over').hidden;
    document.title = numero === '' ? document.title : texts.title(numero);
    show('owner', numero !== '');
    for (const id of ['numero', 'scan-numero', 'type-numero']) setGroups(id, digitGroups(numero));
    setText('name', name);
    setText('lost', lost);
    document.body.classList.toggle('is-lost', lost !== '');
    setText('left', left);
    show('foot', left !== '');

    show('wait', part.kind === 'wait');
    show('ask', part.kind === 'ask');
    show('link', part.kind === 'scan' || part.kind === 'type');
    show('passkey', part.kind === 'passkey');
    show('over', part.kind === 'over');
    switch (part.kind) {
      case 'wait':
        setText('wait-text', part.text);
        break;
      case 'ask':
        setText('ask-text', part.text);
        setButton('start', part.button, part.busy);
        break;
      case 'scan':
      case 'type':
        this.#choose(part.kind);
        if (part.kind === 'type') this.#type(part.box);
        else this.#scan(part.qrCode, numero);
        break;
      case 'passkey':
        this.#passkey(part);
        break;
      case 'over':
        if (isOver) return;
        if (part.good) document.title = texts.linkedTitle(numero);
        show('over-good', part.good);
        show('over-bad', !part.good);
        setText('over-text', part.text);
        setText('over-next', part.next);
        this.tell('');
        byId('over-text').focus();
        return;
    }
    // What had the focus is hidden now.
    if (focused && focused !== document.body && focused.getClientRects().length === 0) byId('numero').focus();
  }

  /** Says something to a screen reader. */
  tell(sentence: string): void {
    setText('told', sentence);
  }

  #choose(way: 'scan' | 'type'): void {
    for (const one of ['scan', 'type'] as const) {
      const isChosen = one === way;
      show(one, isChosen);
      const choice = choiceOf(one);
      choice.checked = isChosen;
      choice.parentElement?.classList.toggle('chosen', isChosen);
    }
  }

  #scan(qrCode: string | undefined, numero: string): void {
    if (qrCode === undefined || qrCode === this.#qrCode) return;
    const isFirst = this.#qrCode === undefined;
    this.#qrCode = qrCode;
    try {
      byId('qr').replaceChildren(drawQr(qrCode, texts.qrCode(numero)));
      if (isFirst) this.tell(texts.scanReady);
    } catch {
      byId('qr').textContent = texts.undrawable;
    }
  }

  #passkey({ text, code = '', store, button = '', busy }: Part & { kind: 'passkey' }): void {
    setText('passkey-text', text);
    setText('passkey-code', code);
    show('passkey-code', code !== '');
    show('passkey-store', store !== undefined);
    if (store && byId('passkey-store').textContent === '') byId('passkey-store').append(linkTo(store));
    show('passkey-go', button !== '');
    setButton('passkey-go', button, busy);
    this.tell(`${text} ${[...code].join(' ')}`.trim());
  }

  #type(box: CodeBox): void {
    show('code-wait', box.kind === 'asking');
    show('code-ready', box.kind === 'code');
    show('code-ask', box.kind === 'none');
    if (box.kind === 'none') {
      setText('code-ask-text', box.text);
      setButton('pair', box.button, false);
    }
    if (box.kind !== 'code') return;
    setText('code-left', box.left);
    if (box.code === this.#code) return;
    this.#code = box.code;
    setGroups('code', [box.code.slice(0, 4), box.code.slice(4)]);
    setText('copy', texts.copyAgain);
    this.tell(texts.spelled(box.code));
  }
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`There is no #${id}`);
  return element;
}

function linkTo({ name, url }: Store): HTMLElement {
  const parts = { textContent: texts.install(name), href: url, target: '_blank', rel: 'noreferrer' };
  return Object.assign(document.createElement('a'), parts);
}

function choiceOf(way: 'scan' | 'type'): HTMLInputElement {
  const choice = document.querySelector<HTMLInputElement>(`input[value="${way}"]`);
  if (!choice) throw new Error(`There is no choice ${way}`);
  return choice;
}

function show(id: string, isShown: boolean): void {
  // An SVG element has the attribute, but no property of that name.
  document.getElementById(id)?.toggleAttribute('hidden', !isShown);
}

function setText(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

/** Groups that only the eye sees: what is copied or read aloud has no spaces. */
function setGroups(id: string, groups: readonly string[]): void {
  if (byId(id).textContent === groups.join('')) return;
  const spans = groups.map((group) => Object.assign(document.createElement('span'), { textContent: group }));
  byId(id).replaceChildren(...spans);
}

function setButton(id: string, text: string, busy: boolean): void {
  setText(id, text);
  if (busy) byId(id).setAttribute('aria-disabled', 'true');
  else byId(id).removeAttribute('aria-disabled');
}

/** A busy button keeps the focus, and does nothing. */
function onPress(id: string, act: (button: HTMLElement) => void): void {
  const button = byId(id);
  button.addEventListener('click', () => {
    if (!button.hasAttribute('aria-disabled')) act(button);
  });
}
