/** The engines that speak to a server that somebody already runs, as `--engine` takes them. */
export const REMOTE_ENGINES = ['waha', 'evolution'] as const;

export type RemoteName = (typeof REMOTE_ENGINES)[number];
