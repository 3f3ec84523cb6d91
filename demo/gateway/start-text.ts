import { networkInterfaces } from 'node:os';
import { inUrl, isEverywhere, LOOPBACK } from './host.ts';

/**
 * Returns the first line of output: the gateway's URL and, if it listens on all addresses, its URLs for other machines.
 * Never the token, since this line ends up in logs.
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

/** A link-local address works only with the name of an interface, which a URL cannot have. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
