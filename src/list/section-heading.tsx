import { usePanel, useSelector } from '../panel-context.ts';
import { countSections } from '../session/counts.ts';
import * as texts from '../texts.ts';

interface Props {
  readonly section: string;
  /** Whether all its sessions are filtered out. */
  readonly hidden: boolean;
}

/** Above the sessions of a group: what it is called, how many it has, and how many of them need attention. */
export function SectionHeading({ section, hidden }: Props) {
  const { store } = usePanel();
  const counted = useSelector(store.sections, (sections) => sections.get(section));
  // A section that has just come is not among those that were counted.
  const counts = counted ?? countSections(store.records).get(section);
  const { name, total = 0, attention = 0 } = counts ?? {};
  return (
    <h3 className="section" hidden={hidden}>
      <bdi>{name || section || texts.noGroup}</bdi> <small>{texts.sessionCount(total)}</small>{' '}
      {attention > 0 && <small data-asks="act">{texts.needAttention(attention)}</small>}
    </h3>
  );
}
