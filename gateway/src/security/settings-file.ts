import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from 'pino';
import { Fault } from '../diagnosis.ts';
import { quoted } from '../ledger/folder.ts';
import { readSmallText, whyUnread } from '../ledger/small-file.ts';
import { trustProblem } from '../ledger/trust.ts';

/** How often a file is looked at, in milliseconds: a change has to take effect within a second. */
const LOOK_EVERY = 400;

/** A file with settings cannot be used: one sentence per line for the operator, which never quote its content. */
export class SettingsFileError extends Fault {
  override readonly name = 'SettingsFileError';
}

/** What becomes of the text of a file. */
interface Use {
  /** Throws a {@link SettingsFileError}. */
  readonly apply: (text: string) => void;
  /** Whether others must not read the text. Default never. */
  readonly isSecret?: (text: string) => boolean;
}

/**
 * A file that an operator writes by hand, and that decides who may do what. It is applied at once, and again whenever it
 * changes; if it cannot be used then, a line is logged, and what was applied before stays.
 */
export class SettingsFile {
  readonly #file: string;
  readonly #option: string;
  readonly #use: Use;
  readonly #log: Logger;
  /** What it said when it was applied last. */
  #text: string;

  /**
   * Throws a {@link SettingsFileError} if the file cannot be used.
   *
   * @param option names the file
   */
  constructor(file: string, option: string, use: Use, log: Logger) {
    this.#file = file;
    this.#option = option;
    this.#use = use;
    this.#log = log;
    this.#text = this.#read();
    use.apply(this.#text);
    // By looking: notifications miss files on network drives, and those that are links to another folder each time.
    watchFile(file, { interval: LOOK_EVERY, persistent: false }, this.reload);
  }

  /** Reads the file again, and applies it if it has changed. */
  readonly reload = (): void => {
    try {
      const text = this.#read();
      if (text !== this.#text) {
        this.#use.apply(text);
        this.#text = text;
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

  /** Throws a {@link SettingsFileError}, also if others may change the file: whoever can, may do everything. */
  #read(): string {
    const file = this.#file;
    try {
      const text = readSmallText(file);
      const problem = trustProblem(file, `the file of ${this.#option}`, this.#use.isSecret?.(text) ?? false);
      if (problem !== undefined) throw new SettingsFileError(problem);
      return text;
    } catch (error) {
      if (error instanceof SettingsFileError) throw error;
      throw new SettingsFileError(`The file ${quoted(file)} of ${this.#option} ${whyUnread(error)}.`);
    }
  }
}
