import { usePanel, useSelector } from '../context/panel-context.ts';

/** The groups that there are, for a field that takes a new one too. */
export function GroupOptions({ id }: { id: string }) {
  const groups = useSelector(usePanel().store.sections, (all) => all);
  return (
    <datalist id={id}>
      {[...groups.values()].map(({ name }) => name && <option key={name} value={name} />)}
    </datalist>
  );
}
