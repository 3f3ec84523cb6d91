/** The engines for other servers, as values of `--engine`. */
export const REMOTE_ENGINES = ['waha', 'evolution'] as const;

export type RemoteName = (typeof REMOTE_ENGINES)[number];
