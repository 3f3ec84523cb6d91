import type { Settings } from '../settings.ts';
import type { NotifyOptions } from './notifier.ts';

/** In milliseconds. */
const MINUTE = 60_000;

const CHANNELS = ['notify', 'notify-whatsapp'] as const;
/** The options of some channels. */
const OF_CHANNELS = [
  ['notify-secret', ['notify']],
  ['notify-after', CHANNELS],
] as const;

/** Who is told, as the operator has set it; undefined for nobody. */
export function notifyOf(settings: Settings): NotifyOptions | undefined {
  const url = settings.one('notify');
  const whatsapp = settings.one('notify-whatsapp');
  if (url === undefined && whatsapp === undefined) return undefined;
  const secret = settings.one('notify-secret') ?? '';
  const after = settings.one('notify-after');
  return {
    webhook: url === undefined ? undefined : { url, secret },
    whatsapp,
    after: after === undefined ? undefined : after * MINUTE,
  };
}

/** Checks which of the options go together. */
export function checkNotify(settings: Settings): void {
  const { problems } = settings;
  if (settings.has('notify') && !settings.has('notify-secret')) {
    problems.add(
      `${settings.nameOf('notify')} requires --notify-secret or WO_NOTIFY_SECRET, the key that signs what goes there: make one with echo "whsec_$(openssl rand -base64 32)".`,
    );
  }
  // The environment and the file may hold options for a channel that is off.
  for (const [name, channels] of OF_CHANNELS) {
    if (settings.isFlag(name) && !channels.some((channel) => settings.has(channel))) {
      problems.add(`--${name} applies with --${channels.join(' or --')} only.`);
    }
  }
}
