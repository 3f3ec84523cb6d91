import { usePanel } from '../context/panel-context.ts';
import type { Sentence } from '../translate.ts';

interface Props {
  readonly steps: readonly Sentence[];
  readonly numero: string;
}

/** What to do with the phone of a session, one after the other. */
export function Steps({ steps, numero }: Props) {
  const { t } = usePanel();
  return (
    <ol>
      {steps.map((step) => (
        <li key={step}>{t(step, numero)}</li>
      ))}
    </ol>
  );
}
