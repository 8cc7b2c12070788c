import type { AnyElysia } from 'elysia'
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
  /** Shows how far a long command is; null removes the line. Silent without a terminal. */
  progress(line: string | null): void
  /** Resolves when the process is told to stop. */
  stopped: Promise<void>
  program: Program
}

/** The program that the commands belong to. */
export interface Program {
  /** Every command, in the order of the help. */
  readonly commands: readonly Command[]
  /** What slices add to each other's work. */
  readonly hooks: Hooks
  createContext(config: Config, parts?: { clock?: Clock; log?: Log }): Promise<Context>
  /** The database alone, for commands that must not make a key file or anything else. */
  openStorage(config: Config): Promise<Storage>
  /** Every route; nothing listens yet. */
  createApp(ctx: Context): AnyElysia
  /** Migrates, then listens. */
  startServer(ctx: Context): Promise<RunningServer>
}

export interface RunningServer {
  /** `http://HOST:PORT` as it really listens. */
  url: string
  /** Takes no new requests, lets those in flight end (at most 10 s), stops the loops and closes the database. */
  stop(): Promise<void>
}

export interface Command extends CommandHelp {
  /** Returns the exit code: 0 done, 1 failed, 2 wrong usage or configuration, 3 differences found. */
  run(args: readonly string[], io: Io): Promise<number>
}

/** Wrong usage: one sentence, exit 2. */
export class UsageError extends Error {}

/** The command could not do its work: one sentence, exit 1. */
export class CommandFailure extends Error {}
