import { Fragment } from 'react';
import { texts } from '../texts.ts';
import { Modal } from './modal.tsx';

/** Lists the keys that work while the focus is in the panel. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={texts.shortcutsTitle} onClose={onClose}>
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
      <div className="dialog-buttons">
        <button type="button" className="flat" onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </Modal>
  );
}
