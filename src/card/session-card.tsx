/** One session, as a card, or as a row that opens to all that is on a card. */
import { type MouseEvent, memo, type ReactNode, useId } from 'react';
import { type PanelShared, usePanel } from '../panel-context.ts';
import type { SessionRecord } from '../session/record.ts';
import { remedyFor } from '../session/remedy.ts';
import type { ShownView } from '../settings.ts';
import * as texts from '../texts.ts';
import { Ago } from '../ui/ago.tsx';
import { useBusy } from '../ui/busy.ts';
import { focusFallback } from '../ui/focus.ts';
import { ignoreSecondClick, isElement } from '../ui/guards.ts';
import { chevronIcon, historyIcon } from '../ui/icons.tsx';
import { advice, explanation, stateBadge } from './advice.tsx';
import { NameForm } from './name-form.tsx';
import { pictureOf } from './picture.tsx';
import { RemedyButton } from './remedy-button.tsx';
import { SelectBox } from './select-box.tsx';
import { menuButton } from './session-menu.tsx';
import { TestMessageForm } from './test-message-form.tsx';
import { useSession } from './use-session.ts';

interface Props {
  readonly numero: string;
  readonly view: ShownView;
  /** Of a row: whether it is open; undefined until it has been, or the session has been a card. */
  readonly opened: boolean | undefined;
  /** Whether it is below the heading of a section. */
  readonly inSection: boolean;
  /** Whether its names are being edited. */
  readonly naming: boolean;
  /** Opens a row, or closes it. */
  readonly onToggle: (numero: string) => void;
}

/** One session: picture, numero and state, test message, actions, in the order of spec §2. */
export const SessionCard = memo(function SessionCard({
  numero,
  view,
  opened,
  inSection,
  naming,
  onToggle,
}: Props) {
  const { store, askToDelete, restart } = usePanel();
  const titleId = useId();
  const [starting, start] = useBusy();
  const isRow = view === 'list';

  return (
    <article
      ref={focusFallback}
      className={isRow ? 'card row' : 'card'}
      part="card"
      data-numero={numero}
      data-opened={opened || undefined}
      data-focus-fallback
      aria-labelledby={titleId}
      onClickCapture={ignoreSecondClick}
    >
      {isRow ? (
        <Row numero={numero} titleId={titleId} opened={!!opened} inSection={inSection} onToggle={onToggle} />
      ) : (
        <Head numero={numero} titleId={titleId} />
      )}
      {/* What was typed stays when a row closes, and when cards become rows. */}
      {naming && <NameForm numero={numero} titleId={titleId} />}
      {(!isRow || opened !== undefined) && (
        <>
          <TestMessageForm numero={numero} titleId={titleId} />
          <div className="actions">
            <button
              type="button"
              className="flat"
              aria-describedby={titleId}
              aria-disabled={starting || undefined}
              onClick={() => restart([numero], () => start(() => store.up(numero)))}
            >
              {texts.start}
            </button>
            <button
              type="button"
              className="flat danger"
              aria-describedby={titleId}
              aria-haspopup="dialog"
              onClick={() => askToDelete(numero)}
            >
              {texts.deleteSession}
            </button>
          </div>
        </>
      )}
    </article>
  );
});

interface PartProps {
  readonly numero: string;
  /** The id of the title, which names all controls of the card. */
  readonly titleId: string;
}

/** Picture, numero and state. Only this part of a card renders at a push. */
function Head({ numero, titleId }: PartProps) {
  const panel = usePanel();
  const record = useSession(numero, 'card');
  if (!record) return null;
  const { group } = record.details;
  return (
    <>
      <div className="picture" part="picture">
        {pictureOf(record, titleId)}
      </div>
      <div className="identity">
        <SelectBox numero={numero} />
        {titleOf(record, numero, titleId)}
        {headButtons(numero, panel)}
        {group && <p className="group">{group}</p>}
        {advice(record, titleId)}
      </div>
    </>
  );
}

interface RowProps extends PartProps, Pick<Props, 'inSection' | 'onToggle'> {
  readonly opened: boolean;
}

/** The same in one line, with the next step of the operator. The picture comes when it is opened. */
function Row({ numero, titleId, opened, inSection, onToggle }: RowProps) {
  const panel = usePanel();
  const record = useSession(numero, 'card');
  if (!record) return null;
  const remedy = remedyFor(record);
  // The whole line is a target for the mouse, unless it was meant for a control or for the selection of text.
  const click = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isControl = isElement(target) && target.closest('button, label');
    if (!isControl && currentTarget.ownerDocument.getSelection()?.type !== 'Range') onToggle(numero);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button at its end does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button at its end does the same */}
      <div className="row-line" onClick={click}>
        <SelectBox numero={numero} />
        {titleOf(record, <Numero numero={numero} />, titleId, inSection ? 4 : undefined)}
        {stateBadge(record)}
        {explanation(record)}
        <Ago since={record.details.since ?? record.facts.stateSince} />
        {remedy && <RemedyButton record={record} remedy={remedy} titleId={titleId} />}
        {opened && headButtons(numero, panel)}
        <button
          type="button"
          className="icon row-toggle"
          aria-label={texts.open(numero)}
          aria-expanded={opened}
          onClick={() => onToggle(numero)}
        >
          {chevronIcon}
        </button>
      </div>
      {opened && (
        <div className="picture" part="picture">
          {pictureOf(record, titleId)}
        </div>
      )}
    </>
  );
}

/**
 * What a session is called, then the name of its account, and always its numero. Not a component: of thousands, each
 * would cost memory.
 */
function titleOf({ details: { label, name } }: SessionRecord, numero: ReactNode, id: string, level?: number) {
  const called = label ?? name;
  return (
    <h3 id={id} tabIndex={-1} aria-level={level} className={called && 'named'}>
      {called === undefined ? (
        numero
      ) : (
        <>
          <bdi title={called}>{called}</bdi>{' '}
          <span className="account">
            {label && name && <bdi>{name}</bdi>} <span>{numero}</span>
          </span>
        </>
      )}
    </h3>
  );
}

/** Of 11 digits: 34 694 197 531. Of 12 and 13: 57 315 592 5926, 521 555 000 1111. */
const THREES = /\d{2,3}(?=(\d{3})*$)/g;
const THREES_AND_FOUR = /\d{2,3}(?=(\d{3})*\d{4}$)|\d{4}$/g;

/** Digits in groups that only the eye sees: what is copied, searched or read aloud is the plain number. */
function Numero({ numero }: { numero: string }) {
  const groups = /^\d{8,}$/.test(numero) && numero.match(numero.length % 3 === 2 ? THREES : THREES_AND_FOUR);
  if (!groups) return numero;
  // biome-ignore lint/suspicious/noArrayIndexKey: groups have nothing but their place
  return groups.map((group, index) => <span key={index}>{group}</span>);
}

/** Opens the history, and the menu. Not a component: a thousand of them would take memory. */
function headButtons(numero: string, panel: PanelShared) {
  return (
    <div className="icons">
      <button
        type="button"
        className="icon"
        title={texts.historyTitle(numero)}
        aria-label={texts.historyTitle(numero)}
        aria-haspopup="dialog"
        onClick={() => panel.openDialog({ kind: 'history', numero })}
      >
        {historyIcon}
      </button>
      {menuButton(numero, panel)}
    </div>
  );
}
