/** The folder with `initdb` and `postgres`, or undefined where there is none. */
export function findPostgres(): string | undefined;
/** The user as whom to run PostgreSQL; nothing unless this process is root. */
export function postgresUser(): { uid?: number; gid?: number };
