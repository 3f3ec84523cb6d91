import { useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../card/use-session.ts';
import { useObservable, usePanel } from '../panel-context.ts';
import { merge } from '../session/history.ts';
import * as texts from '../texts.ts';
import { dateAndTime, exactTime, isToday } from '../ui/time.ts';
import { copyText } from './copy-text.ts';
import { Modal } from './modal.tsx';

interface Props {
  readonly numero: string;
  readonly onClose: () => void;
}

/** What has happened to a session since the panel was opened, the newest first. */
export function HistoryDialog({ numero, onClose }: Props) {
  const { store } = usePanel();
  const own = useSession(numero, 'dialog')?.history ?? [];
  const { connectionHistory } = useObservable(store.snapshot);
  const entries = merge(own, connectionHistory).toReversed();
  const list = useRef<HTMLOListElement>(null);
  const [told, setTold] = useState('');
  // It is what one came for: the arrow keys scroll it at once.
  useLayoutEffect(() => list.current?.focus(), []);

  const copy = async (button: HTMLElement) => {
    // A text that does not change would not be announced.
    setTold('');
    const lines = entries.map((entry) => `${dateAndTime(entry.at)} – ${texts.happened(entry)}`);
    const text = [numero, ...lines].join('\n');
    const copied = list.current && (await copyText(text, list.current, button));
    setTold(copied ? texts.copied : texts.notCopied);
  };

  return (
    <Modal title={texts.historyTitle(numero)} numero={numero} onClose={onClose}>
      {entries.length === 0 ? (
        <p>{texts.notListed}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <ol ref={list} className="history" tabIndex={0} aria-label={texts.historyTitle(numero)}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <time dateTime={new Date(entry.at).toISOString()}>
                {isToday(entry.at) ? exactTime(entry.at) : dateAndTime(entry.at)}
              </time>{' '}
              <span>{texts.happened(entry)}</span>
            </li>
          ))}
        </ol>
      )}
      <p className="history-begin">{texts.historyBegin}</p>
      <div className="dialog-buttons">
        <p className="copied" role="status">
          {told}
        </p>
        <button
          type="button"
          className="flat"
          disabled={entries.length === 0}
          onClick={(event) => copy(event.currentTarget)}
        >
          {texts.copy}
        </button>
      </div>
    </Modal>
  );
}
