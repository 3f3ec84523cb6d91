import { Fragment } from 'react';
import { usePanel } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Modal } from './modal.tsx';

/** Lists the keys that work while the focus is in the panel. */
export function ShortcutsDialog() {
  const { t, may } = usePanel();
  const keys = Object.entries(texts.shortcuts).filter(([key]) => key !== 'n' || may('start'));
  return (
    <Modal title={t(texts.shortcutsTitle)}>
      <dl className="shortcuts">
        {keys.map(([key, meaning]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(meaning)}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  );
}
