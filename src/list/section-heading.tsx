import { useObservable, usePanel } from '../panel-context.ts';
import * as texts from '../texts.ts';

/** Above the sessions of a group: what it is called, how many it has, and how many of them need attention. */
export function SectionHeading({ section }: { section: string }) {
  const { name, total = 0, attention = 0 } = useObservable(usePanel().store.sections).get(section) ?? {};
  return (
    <h3 className="section">
      <bdi>{name || section || texts.noGroup}</bdi> <small>{texts.sessionCount(total)}</small>{' '}
      {attention > 0 && <small data-asks="act">{texts.needAttention(attention)}</small>}
    </h3>
  );
}
