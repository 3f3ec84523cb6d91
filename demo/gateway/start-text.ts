import { networkInterfaces } from 'node:os';
import { inUrl, isEverywhere, LOOPBACK } from './host.ts';

/**
 * What whoever started the gateway reads first: where it is, and, where it listens on every address of the
 * machine, where it is for the others. Never the token: this line ends in logs.
 */
export function startText(url: string, host = LOOPBACK): string {
  const { port } = new URL(url);
  const others = isEverywhere(host)
    ? addresses(host === '::').map((address) => `http://${inUrl(address)}:${port}/`)
    : [];
  return [`${url}/ (Ctrl-C stops it)`, ...others.map((other) => `${other} from other machines`)].join('\n');
}

function addresses(isIpv6Too: boolean): string[] {
  return Object.values(networkInterfaces())
    .flatMap((infos = []) => infos)
    .filter(({ internal, family }) => !internal && (isIpv6Too || family === 'IPv4'))
    .map(({ address }) => address)
    .filter((address) => !isLinkLocal(address));
}

/** It means something only together with the name of an interface, which no URL can have. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
