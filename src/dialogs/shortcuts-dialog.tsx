import { Fragment } from 'react';
import { usePanel } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Modal } from './modal.tsx';

/** Lists the keys that work while the focus is in the panel. */
export function ShortcutsDialog() {
  const { may } = usePanel();
  const keys = texts.shortcuts.filter(([key]) => key !== 'n' || may('start'));
  return (
    <Modal title={texts.shortcutsTitle}>
      <dl className="shortcuts">
        {keys.map(([key, meaning]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  );
}
