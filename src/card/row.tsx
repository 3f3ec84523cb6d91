import type { MouseEvent } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { remedyFor } from '../session/record.ts';
import * as texts from '../texts.ts';
import { isElement } from '../ui/guards.ts';
import { chevronIcon } from '../ui/icons.tsx';
import { Ago } from '../ui/live-time.tsx';
import { Explanation, type RecordProps, RemedyButton, StateBadge } from './advice.tsx';
import { HeadButtons, Title } from './head.tsx';
import { Picture } from './picture.tsx';
import { SelectBox } from './select-box.tsx';

interface Props extends RecordProps {
  readonly opened: boolean;
  /** Whether it is below the heading of a section. */
  readonly inSection: boolean;
}

/** Numero and state in one line, with the next step of the operator. The picture comes when the row is opened. */
export function Row({ record, titleId, opened, inSection }: Props) {
  const { cards } = usePanel();
  const { numero } = record.session;
  const toggle = () => cards.update(numero, { opened: !opened });
  // The whole line is a target for the mouse, unless it was meant for a control or for the selection of text.
  const click = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isControl = isElement(target) && target.closest('button, label');
    if (!isControl && currentTarget.ownerDocument.getSelection()?.type !== 'Range') toggle();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button at its end does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button at its end does the same */}
      <div className="row-line" onClick={click}>
        <SelectBox numero={numero} />
        <Title record={record} titleId={titleId} level={inSection ? 4 : undefined}>
          <Numero numero={numero} />
        </Title>
        <StateBadge record={record} />
        <Explanation record={record} />
        <Ago since={record.details.since ?? record.facts.stateSince} />
        <RemedyButton record={record} remedy={remedyFor(record)} titleId={titleId} />
        {opened && <HeadButtons numero={numero} />}
        <button
          type="button"
          className="icon row-toggle"
          aria-label={texts.openRow(numero)}
          aria-expanded={opened}
          onClick={toggle}
        >
          {chevronIcon}
        </button>
      </div>
      {opened && (
        <div className="picture" part="picture">
          <Picture record={record} titleId={titleId} />
        </div>
      )}
    </>
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
