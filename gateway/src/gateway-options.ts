import type { Logger } from 'pino';
import type { ClusterOptions } from './cluster/cluster.ts';
import type { RemoteOptions } from './engines/provider.ts';
import type { Clock } from './engines/simulated/clock.ts';
import type { Seed } from './engines/simulated/seeds.ts';
import type { WhatsappOptions } from './engines/whatsapp/engine.ts';
import type { NotifyOptions } from './notify/notifier.ts';
import type { AccessOptions } from './security/admission.ts';

export interface GatewayOptions extends AccessOptions {
  /** TCP port; 0 takes a free one. Default 8080. */
  port?: number;
  /** The file to which one JSON line is added for each act and each refusal: docs/access.md. */
  audit?: string | undefined;
  /** The address or name to listen on. Default 127.0.0.1; anything else requires `token`, `access` or `jwtKey`. */
  host?: string;
  /** Proxies whose `X-Forwarded-For` is trusted, as in fastify's option of the same name. Default none. */
  trustProxy?: readonly string[];
  /** The initial sessions: the number to generate, or a list. Default 6. */
  sessions?: number | readonly Seed[];
  /** Speed of the simulated phones' clock. Default 1. */
  speed?: number;
  /** Origins, besides its own, whose pages may use the gateway, such as `https://portal.example`. Default none. */
  allowOrigins?: readonly string[];
  /** A clock for the simulated phones; `speed` is then ignored. Default the machine's. */
  clock?: Clock;
  /** Links real phones instead of simulated ones; `sessions`, `speed` and `clock` are then ignored. */
  whatsapp?: WhatsappOptions;
  /** Shows the sessions of another server instead; `sessions`, `speed`, `clock` and `whatsapp` are then ignored. */
  remote?: RemoteOptions;
  /**
   * Shares the sessions with other gateways on one PostgreSQL, which then keeps them instead of the folder of
   * `whatsapp`; `sessions` are then created only in an empty database. Not with `remote`. Default: this gateway is
   * alone.
   */
  cluster?: ClusterOptions;
  /**
   * The URL of this gateway for the people with the phones, such as `https://whatsapp.example/`. Default: the URL that
   * the panel uses.
   */
  publicUrl?: string | undefined;
  /** The gateway's name in histories. Default: the machine's. */
  name?: string;
  /**
   * How long a connected session may be silent before WhatsApp is asked whether it still answers, in milliseconds; after
   * two questions without an answer the session is shown as silent. Default 5 minutes; 0 never asks.
   */
  probe?: number | undefined;
  /** The operator log; {@link createLogger} makes one. Default silent. */
  logger?: Logger;
  /** Tells those who do not look at a panel what is the matter with the numbers: docs/notify.md. */
  notify?: NotifyOptions | undefined;
  /** Serves metrics for Prometheus at `/metrics`, which takes the token. Default false. */
  metrics?: boolean | undefined;
}
