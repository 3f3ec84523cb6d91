import { Fragment } from 'react';
import * as texts from '../texts.ts';
import { Modal } from './modal.tsx';

/** Lists the keys that work while the focus is in the panel. */
export function ShortcutsDialog() {
  return (
    <Modal title={texts.shortcutsTitle}>
      <dl className="shortcuts">
        {texts.shortcuts.map(([key, meaning]) => (
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
