/** Alerts for an operator who looks elsewhere: a session dropped, and the page asks for alerts. */
import { useEffect, useState } from 'react';
import { useObservable, usePanel } from '../context/panel-context.ts';
import { log } from '../log.ts';
import type { Observable } from '../observable.ts';
import { seconds } from '../session/clock.ts';
import type { Counts } from '../session/counts.ts';
import { calledBy } from '../session/record.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';

/** Shows a notification of what dropped, where `alerts` asks for it and the operator has allowed it. */
export function alert({ t, records }: Store, alerts: string): void {
  const dropped = [...records].filter(({ status }) => status.droppedAt !== undefined);
  const [first, second] = dropped;
  if (!first) return;
  // Chrome on Android has the constructor, and refuses it.
  try {
    if (alerts.includes('notification') && globalThis.Notification?.permission === 'granted') {
      const text = second
        ? `${t(texts.buckets.dropped)} ${dropped.length}`
        : t(texts.droppedTo, calledBy(first), first.session.state);
      const body = second ? dropped.map(calledBy).join('\n') : '';
      // Without renotify, which its type lacks, one that replaces another is not seen.
      const options = { tag: 'whatsapp-operadores', renotify: true, body };
      const notification = new Notification(text, options);
      notification.onclick = () => {
        focus();
        notification.close();
      };
    }
  } catch (error) {
    log(error);
  }
}

/** The panels' number. Its no-break space distinguishes it from a number of the page's own. */
const NUMBER = /^\(\d+\)\u00a0/;

/** The counts of all panels: a page has one title. */
const panels = new Set<Observable<Counts>>();

/** Puts the number of dropped sessions in front of the page's title; returns the function that removes it. */
function countInTitle(counts: Observable<Counts>): () => void {
  panels.add(counts);
  showInTitle();
  const stop = counts.subscribe(showInTitle);
  // The page may change its title at any time. Each panel has its own listener: it removes no other panel's.
  const unwatch = seconds(() => showInTitle());
  return () => {
    stop();
    unwatch();
    panels.delete(counts);
    showInTitle();
  };
}

function showInTitle(): void {
  let dropped = 0;
  for (const counts of panels) dropped += counts.get().dropped;
  const own = document.title.replace(NUMBER, '');
  const title = dropped === 0 ? own : `(${dropped})\u00a0${own}`;
  if (title !== document.title) document.title = title;
}

/** Keeps the count in the page's title, and offers a button while notifications need permission. */
export function Alerts() {
  const { store, t, settings } = usePanel();
  const { alerts } = useObservable(settings);
  const [permission, setPermission] = useState(() => globalThis.Notification?.permission);
  const inTitle = alerts.includes('title');
  useEffect(() => (inTitle ? countInTitle(store.counts) : undefined), [store, inTitle]);
  return (
    permission === 'default' &&
    alerts.includes('notification') && (
      <p>
        <Button className="outlined" onClick={() => Notification.requestPermission().then(setPermission)}>
          {t(texts.allowNotifications)}
        </Button>
      </p>
    )
  );
}
