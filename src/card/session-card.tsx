import { PureComponent, type ReactNode } from 'react';
import type { Card } from '../context/cards.ts';
import { type PanelShared, usePanel } from '../context/panel-context.ts';
import { keepIfEqual } from '../observable.ts';
import { adviceOn } from '../session/advice.ts';
import type { SessionRecord } from '../session/record.ts';
import { isStart, remedyFor } from '../session/states.ts';
import * as texts from '../texts/sentences.ts';
import { Failed } from '../ui/error-boundary.tsx';
import { ignoreSecondClick } from '../ui/input.ts';
import { STATES } from '../wire.ts';
import { badge, type Place, type RecordProps, RemedyButton } from './advice.tsx';
import { Head, HistoryButton } from './head.tsx';
import { HistoryEntry } from './history-entry.tsx';
import { Linking } from './linking.tsx';
import { NameForm } from './name-form.tsx';
import { Picture } from './picture.tsx';
import { TestMessageForm } from './test-message.tsx';

interface Props {
  readonly numero: string;
  readonly panel: PanelShared;
  /** A row may be open. */
  readonly place: Exclude<Place, 'openRow' | 'dialog'>;
  /** Whether it is filtered out or folded. */
  readonly hidden?: boolean;
  /** Whether it is below the heading of a section. */
  readonly inSection?: boolean;
}

interface State {
  /** Undefined where the session is not listed. */
  readonly record: SessionRecord | undefined;
  readonly card: Card;
  readonly failed: boolean;
}

/** How many cards have been made: each has an id of its own. */
let count = 0;

/**
 * One session, as a card, or as a row that opens to all that is on a card. Far from the screen it is an outline (see
 * `Cards`).
 *
 * It follows its card, and contains its failure to render, which React logs. Only a class can do that, and with a hook each
 * of thousands of outlines would take half as much memory again.
 */
export class SessionCard extends PureComponent<Props, State> {
  override state: State = { ...this.#shown(), failed: false };
  readonly #titleId = `card${++count}`;
  #unsubscribe = () => {};

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidMount() {
    const { panel, numero } = this.props;
    const follow = () => this.setState(this.#shown());
    this.#unsubscribe = panel.cards.subscribe(numero, follow);
    // It may have changed since it was rendered.
    if (keepIfEqual(this.state, { ...this.state, ...this.#shown() }) !== this.state) follow();
  }

  override componentWillUnmount() {
    this.#unsubscribe();
  }

  override componentDidUpdate({ panel }: Props) {
    // What made it fail may have changed with the panel's texts, or with what may be done.
    if (panel !== this.props.panel && this.state.failed) this.setState({ failed: false });
  }

  override componentDidCatch(error: unknown) {
    this.props.panel.store.reportRendering(error);
  }

  #shown(): Pick<State, 'record' | 'card'> {
    const { numero, panel } = this.props;
    return { record: panel.store.get(numero), card: panel.cards.get(numero) };
  }

  override render() {
    const { numero, panel, hidden, inSection } = this.props;
    const { failed, record, card } = this.state;
    const { height, opened, editing } = card;
    const titleId = this.#titleId;
    const isRow = this.props.place === 'row';
    const place = isRow && opened ? 'openRow' : this.props.place;
    const outline = card.outline && place !== 'single';
    if (failed)
      return (
        <article className="card empty failure" hidden={hidden} data-numero={numero} aria-label={numero}>
          <h3 tabIndex={-1}>{numero}</h3>
          <Failed t={panel.t} text={texts.cardCrashed} onRetry={() => this.setState({ failed: false })} />
        </article>
      );
    if (!record) return null;

    return (
      <article
        ref={panel.cards.observe}
        className={place === 'card' ? place : `card ${this.props.place}`}
        part="card"
        hidden={hidden}
        data-numero={numero}
        data-outline={outline || undefined}
        data-opened={place === 'openRow' || undefined}
        aria-labelledby={titleId}
        style={outline && place !== 'row' ? { minBlockSize: height } : undefined}
        onClickCapture={ignoreSecondClick}
      >
        {outline ? (
          <Outline panel={panel} record={record} titleId={titleId} inSection={inSection} />
        ) : (
          <>
            {!isRow && !(place === 'single' && isLinking(panel, record)) && (
              <Picture record={record} titleId={titleId} />
            )}
            <Head record={record} titleId={titleId} place={place} inSection={inSection} />
            {/* What was typed in it stays when a row closes, and when cards become rows. */}
            {editing && <NameForm record={record} titleId={titleId} editing={editing} />}
            {place === 'openRow' && <RowInside record={record} titleId={titleId} />}
            {place === 'single' && <SingleInside record={record} titleId={titleId} />}
            {place === 'card' && <Controls record={record} titleId={titleId} className="actions" />}
          </>
        )}
      </article>
    );
  }
}

/**
 * The words of a session, for screen readers and the browser's search, and one button for Tab, which brings the rest. As few
 * elements and components as possible: there may be thousands.
 */
function Outline({ panel, record, titleId, inSection }: RecordProps & Pick<Props, 'panel' | 'inSection'>) {
  const { numero } = record.session;
  const { label, name } = record.details;
  return (
    <>
      <h3 id={titleId} tabIndex={-1} aria-level={inSection ? 4 : undefined}>
        {[label, name, numero].filter(Boolean).join(' ')}
      </h3>
      {/* The markup of `Advice`, whose print styles apply. */}
      {badge(record)}
      <p className="advice muted">
        {adviceOn(panel, record)
          .map(([text]) => text)
          .join(' · ')}
      </p>
      <button type="button" aria-label={panel.t(texts.openRow, numero)} />
    </>
  );
}

const RECENT = 3;

/** What an open row shows below its line: its code and the steps, what has happened, and what a card has below. */
function RowInside({ record, titleId }: RecordProps) {
  const panel = usePanel();
  const { session, history } = record;
  const { numero } = session;
  const recent = history.filter(({ event }) => event !== 'listed').slice(-RECENT);
  return (
    <div className="row-inside">
      {isLinking(panel, record) && <Linking numero={numero} titleId={titleId} />}
      {recent.length > 0 && (
        <ol className="recent muted">
          {recent.toReversed().map((entry) => (
            <HistoryEntry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <div className="row-tail">
        <Controls record={record} titleId={titleId}>
          <HistoryButton numero={numero} />
        </Controls>
      </div>
    </div>
  );
}

/** Whether a phone is being linked: the place of a code is kept until it comes. */
function isLinking({ may }: PanelShared, { session }: SessionRecord): boolean {
  const { state, qrCode, waiting } = session;
  const isDue = waiting && state === STATES.authenticating;
  return may('codes') && state !== STATES.connected && (qrCode !== undefined || isDue);
}

/** What the only session has below its head: how to link its phone, or else the test message. */
function SingleInside({ record, titleId }: RecordProps) {
  const panel = usePanel();
  const { numero, state } = record.session;
  if (isLinking(panel, record)) return <Linking numero={numero} titleId={titleId} />;
  return (
    state === STATES.connected &&
    panel.may('send') && (
      <details>
        <summary className="muted">{panel.t(texts.testMessage)}</summary>
        <TestMessageForm numero={numero} titleId={titleId} />
      </details>
    )
  );
}

/** The test message, and the two actions; the one that remedies the state stands out. */
function Controls({
  className,
  children,
  ...props
}: RecordProps & { className?: string; children?: ReactNode }) {
  const { t, may } = usePanel();
  const remedy = remedyFor(props.record);
  const start = isStart(remedy) ? 'next' : undefined;
  const danger = remedy === 'delete' ? 'danger next' : 'danger';
  return (
    <>
      {may('send') && <TestMessageForm numero={props.record.session.numero} titleId={props.titleId} />}
      {(children || may('start') || may('delete')) && (
        <div className={className}>
          <RemedyButton {...props} remedy="start" className={start} part="button start-button">
            {t(texts.start)}
          </RemedyButton>
          <RemedyButton {...props} remedy="delete" className={danger} part="button delete-button">
            {t(texts.deleteSession)}
          </RemedyButton>
          {children}
        </div>
      )}
    </>
  );
}
