import type { Scope } from '../../../test/support/scope.ts';
import type { EngineExtension } from '../../src/engines/extensions.ts';
import type { Engine, Stop } from '../../src/sessions/engine.ts';

/** What an engine can do, or what can happen to it, that not every engine knows. */
export type Ability =
  | Exclude<EngineExtension, 'proxy' | 'passkey'>
  /** Its sessions outlive it. */
  | 'keeps'
  /** Its sessions move between gateways: it has `resume` and `release`. */
  | 'moves'
  /** Others create and remove sessions behind its back. */
  | 'shared'
  /** The codes of a session run out. */
  | 'expires'
  /** It links accounts that require a passkey. */
  | 'passkeys'
  /** What it connects to can be away. */
  | 'outage'
  | StopAbility;

/** It tells that a session ended for this reason. */
export type StopAbility = Exclude<Stop['reason'], 'other-number'>;

/** Opens a lab of its own for a test, which ends with the test. */
export type OpenLab = (scope: Scope) => Promise<EngineLab>;

/** A text that has arrived. */
export interface Arrival {
  /** The sender's number. */
  readonly from: string;
  readonly text: string;
}

/**
 * An engine, and the world outside it: the phones, their owners, WhatsApp. Every number uses WhatsApp and has a phone.
 * An action resolves when it is done out there; what the engine makes of it comes later.
 */
export interface EngineLab {
  /**
   * The engine, which nobody has restored yet; another one after `restart`. The lab closes it at the end, also if the
   * test has done so.
   */
  readonly engine: Engine;

  /** Closes the engine, and makes another one with the same store. */
  restart(): Promise<void>;

  /** The phone of a numero scans a code. */
  scan(numero: string, code: string): Promise<void>;

  /** The phone of `otherNumero(numero)` scans the code of this numero. */
  scanWithOther(numero: string, code: string): Promise<void>;

  /** The phone of a numero, whose account requires a passkey, scans a code. Only for engines with `passkeys`. */
  scanWithPasskey?(numero: string, code: string): Promise<void>;

  /** Whether codes are compared once the passkey has signed; set before `restart`. Only for engines with `passkeys`. */
  comparesCodes?: boolean;

  /** A code is typed on the phone of a numero. Only for engines with `pairing`. */
  type(numero: string, code: string): Promise<void>;

  /** The code that a session shows expires, and another one follows; those of other sessions may expire too. */
  renewCode(numero: string): Promise<void>;

  /** All codes of a session expire; those of other sessions may expire too. Only for engines with `expires`. */
  endCodes(numero: string): Promise<void>;

  /** The owner of the phone removes the linked device. */
  logOut(numero: string): Promise<void>;

  /** Cuts the line of a connected session. It stays cut until `recoverLine`. */
  loseLine(numero: string): Promise<void>;

  recoverLine(numero: string): Promise<void>;

  /** Whether a device is linked, as the owner of the phone sees it. */
  isLinked(numero: string): Promise<boolean>;

  /** Returns a number without WhatsApp; the given one if the lab can choose. */
  absent(number: string): Promise<string>;

  /** Returns the texts that the phone of a number has received, the oldest first. */
  arrivals(number: string): Promise<readonly Arrival[]>;

  /** The phone of a number tells that it has received its messages, or that they were read; again if it has already. */
  acknowledge(number: string, ack: 'device' | 'read'): Promise<void>;

  /** Ends a session for a reason, such as the scan of its code. Only for engines that can tell the reason. */
  stop?(numero: string, reason: StopAbility, code: string): Promise<void>;

  /** What others do. Only for engines with `shared`. */
  readonly elsewhere?: {
    /** Creates a session that is linked. */
    create(numero: string): Promise<void>;
    remove(numero: string): Promise<void>;
  };

  /** What the engine connects to. Only for engines with `outage`. */
  readonly server?: {
    goDown(): Promise<void>;
    comeBack(): Promise<void>;
  };
}
