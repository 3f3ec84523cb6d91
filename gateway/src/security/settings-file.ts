import { statSync, unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { quoted } from '../ledger/folder.ts';
import { type FileContent, readSmallText, whyUnread } from '../ledger/small-file.ts';

/** How often a file is looked at, in milliseconds: a change has to take effect within a second. */
const LOOK_EVERY = 400;
/** Write permission for the group and others, as in `chmod`. */
const WRITABLE = 0o022;

/** A file with settings cannot be used: one sentence per line for the operator, which never quote its content. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
}

/**
 * A file that an operator writes by hand, and that decides who may do what. It is applied at once, and again whenever it
 * changes; if it cannot be used then, a line is logged, and what was applied before stays.
 */
export class SettingsFile {
  readonly #file: string;
  readonly #option: string;
  readonly #apply: (content: FileContent) => void;
  readonly #log: Logger;
  /** What it said when it was applied last. */
  #content: FileContent;

  /**
   * Throws a {@link SettingsFileError} if the file cannot be used.
   *
   * @param option names the file
   * @param apply throws a {@link SettingsFileError}
   */
  constructor(file: string, option: string, apply: (content: FileContent) => void, log: Logger) {
    this.#file = file;
    this.#option = option;
    this.#apply = apply;
    this.#log = log;
    this.#content = readSettings(file, option);
    const { text, changed } = this.#content;
    // A file from the future would be newer than all later ones.
    apply({ text, changed: Math.min(changed, Date.now()) });
    // By looking: notifications miss files on network drives, and those that are links to another folder each time.
    watchFile(file, { interval: LOOK_EVERY, persistent: false }, this.reload);
  }

  /** Reads the file again, and applies it if it has changed. */
  readonly reload = (): void => {
    try {
      const content = readSettings(this.#file, this.#option);
      if (!isDeepStrictEqual(content, this.#content)) {
        // It counts from now on, however old the file is that somebody put there.
        this.#apply({ text: content.text, changed: Date.now() });
        this.#content = content;
      }
      this.#log.info({ option: this.#option }, 'A file was read again.');
    } catch (error) {
      if (!(error instanceof SettingsFileError)) throw error;
      const problems = error.message.split('\n');
      this.#log.error({ problems }, 'A file cannot be used: what it said before still holds.');
    }
  };

  close(): void {
    unwatchFile(this.#file, this.reload);
  }
}

/** Throws a {@link SettingsFileError}, also if others may change the file: whoever can, may do everything. */
function readSettings(file: string, option: string): FileContent {
  try {
    const text = readSmallText(file);
    refuseForeign(file, option, WRITABLE, 'change');
    return { text, changed: Math.round(statSync(file).mtimeMs) };
  } catch (error) {
    if (error instanceof SettingsFileError) throw error;
    throw new SettingsFileError(`The file ${quoted(file)} of ${option} ${whyUnread(error)}.`);
  }
}

/** Throws a {@link SettingsFileError} if others have one of these permissions. Windows has no such modes. */
export function refuseForeign(file: string, option: string, mode: number, verb: 'read' | 'change'): void {
  if (!process.geteuid || (statSync(file).mode & mode) === 0) return;
  throw new SettingsFileError(
    `Other users can ${verb} the file of ${option}. Run this first: chmod go-${verb === 'read' ? 'rw' : 'w'} ${quoted(file)}`,
  );
}
