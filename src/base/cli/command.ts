import type { CommandHelp } from '../command-help'
import type { Config } from '../config'
import type { Context } from '../context'
import type { Storage } from '../db/handle'
import type { Clock } from '../lib/clock'
import type { Log } from '../lib/log'
import type { Hooks } from '../state'

/** Where a command reads from and writes to, and the time it goes by; tests pass their own. */
export interface Io {
  out(line: string): void
  err(line: string): void
  /** Whether a person sits at the other end. */
  isTerminal: boolean
  env: Record<string, string | undefined>
  clock: Clock
  /** A yes/no question on the terminal; false without one. */
  confirm(question: string): Promise<boolean>
  /** Shows how far a long command is; null takes the line away. Silent without a terminal. */
  progress(line: string | null): void
  /** Resolves when the process is told to stop. */
  stopped: Promise<void>
  program: Program
}

/** The product that the commands are of. */
export interface Program {
  readonly hooks: Hooks
  createContext(config: Config, parts: { clock: Clock; log: Log }): Promise<Context>
  /** The database alone, for commands that must not make a key file or anything else. */
  openStorage(config: Config): Promise<Storage>
}

export interface Command extends CommandHelp {
  /**
   * Returns the exit code: 0 done, 1 failed, 2 wrong usage or configuration, 3 differences found. A command that serves
   * shows `all` in its guide.
   */
  run(args: readonly string[], io: Io, all?: readonly Command[]): Promise<number>
}

/** Wrong usage: one sentence, exit 2. */
export class UsageError extends Error {}

/** The command could not do its work: one sentence, exit 1. */
export class CommandFailure extends Error {}
