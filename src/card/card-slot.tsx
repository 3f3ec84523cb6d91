import { PureComponent } from 'react';
import type { ShownView } from '../settings.ts';
import * as texts from '../texts.ts';
import type { Card, Cards } from './cards.ts';
import type { Nearness } from './nearness.ts';
import { SessionCard } from './session-card.tsx';

interface Props {
  readonly numero: string;
  readonly cards: Cards;
  readonly nearness: Nearness;
  readonly view: ShownView;
  /** Whether it is filtered out. */
  readonly hidden: boolean;
  /** Whether it is below the heading of a section. */
  readonly inSection: boolean;
  readonly onError: (error: unknown) => void;
}

interface State {
  readonly card: Card;
  readonly failed: boolean;
}

/**
 * The place of one card. It follows the card, and contains its failure to render, which React logs: only a class can do
 * that, and a hook beside it would take half as much memory again as an outline.
 */
export class CardSlot extends PureComponent<Props, State> {
  override state: State = { card: this.props.cards.get(this.props.numero), failed: false };
  #unsubscribe = () => {};

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidMount() {
    const { cards, numero } = this.props;
    const follow = () => this.setState({ card: cards.get(numero) });
    this.#unsubscribe = cards.subscribe(numero, follow);
    // It may have changed since it was rendered.
    if (cards.get(numero) !== this.state.card) follow();
  }

  override componentWillUnmount() {
    this.#unsubscribe();
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }

  override render() {
    const { numero, nearness, view, hidden, inSection } = this.props;
    const { card, failed } = this.state;
    if (failed) return <FailedCard numero={numero} onRetry={() => this.setState({ failed: false })} />;
    const { record } = card;
    return (
      record && (
        <SessionCard
          card={card}
          record={record}
          nearness={nearness}
          view={view}
          hidden={hidden}
          inSection={inSection}
        />
      )
    );
  }
}

interface FailedProps {
  readonly numero: string;
  readonly onRetry: () => void;
}

function FailedCard({ numero, onRetry }: FailedProps) {
  return (
    <article className="card empty" data-numero={numero} data-focus-fallback aria-label={numero}>
      <h3 tabIndex={-1}>{numero}</h3>
      <p role="alert">{texts.cardCrashed}</p>
      <button type="button" className="tonal" onClick={onRetry}>
        {texts.retry}
      </button>
    </article>
  );
}
