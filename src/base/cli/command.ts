import type { AnyElysia } from 'elysia'
import type { CommandHelp } from '../command-help'
import type { Config } from '../config'
import type { Context } from '../context'
import type { Storage } from '../db/handle'
import { AppError, type ErrorCode } from '../errors'
import type { Clock } from '../lib/clock'
import type { Log } from '../lib/log'
import { parseIso } from '../lib/time'
import type { Hooks } from '../state'

// Options whose text is parsed. A text that cannot be parsed is wrong usage, and the message gives an example.

/** Milliseconds of a time in ISO 8601. */
export function toInstant(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const instant = parseIso(text)
  if (instant === null) throw new UsageError(`${option} takes a time like 2026-11-20T08:00:00Z, not "${text}"`)
  return instant
}

export function toLimit(text = '50'): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit === 0) throw new UsageError(`--limit takes a whole number above 0, not "${text}"`)
  return limit
}

/** The input, the output and the clock of a command. Tests pass their own. */
export interface Io {
  out(line: string): void
  err(line: string): void
  /** Whether a person can answer questions. */
  isTerminal: boolean
  env: Record<string, string | undefined>
  clock: Clock
  /** Asks a yes/no question on the terminal. False without a terminal. */
  confirm(question: string): Promise<boolean>
  /** Asks for a line of text on the terminal. Absent without a terminal. */
  ask?(question: string): Promise<string>
  /** Everything that is piped in. Absent = nothing is. */
  input?(): Promise<string>
  /** The lines that are piped in, as they come. Absent = nothing is. */
  lines?(): AsyncIterable<string>
  /** Shows the progress of a long command; null removes the line. Does nothing without a terminal. */
  progress(line: string | null): void
  /** Resolves when the process is asked to stop. */
  stopped: Promise<void>
  program: Program
  /** Where install.sh sets svc up on this machine; absent = such an installation is never used. */
  installation?: Installation
}

/** Where install.sh sets svc up on a server. */
export interface Installation {
  /** The variables of the service, one a line. */
  settingsFile: string
  /** The folder of its data, unless the settings name another. */
  dataDir: string
  /** The user that the service runs as. */
  user: string
}

/** The program that the commands belong to. */
export interface Program {
  /** Every command, in the order of the help. */
  readonly commands: readonly Command[]
  /** The hooks that the slices offer to each other. */
  readonly hooks: Hooks
  createContext(config: Config, parts?: { clock?: Clock; log?: Log }): Promise<Context>
  /** Opens only the database, for commands that must not create a key file or anything else. */
  openStorage(config: Config): Promise<Storage>
  /** The application with every route, or with those below some prefixes. It does not listen yet. */
  createApp(ctx: Context, isWanted?: (prefix: string) => boolean): AnyElysia
  /** Migrates, then listens. */
  startServer(ctx: Context): Promise<RunningServer>
}

export interface RunningServer {
  /** `http://HOST:PORT` with the port on which the server actually listens. */
  url: string
  /** Accepts no new requests, waits up to 10 s for running ones, stops the loops and closes the database. */
  stop(): Promise<void>
}

export interface Command extends CommandHelp {
  /**
   * The options by the fields under which services know their values, such as `{ dueAt: '--at' }`. A refusal that
   * names a field is printed with the name of its option.
   */
  readonly optionOf?: Readonly<Record<string, string>>
  /** Returns the exit code: 0 done, 1 failed, 2 wrong usage or configuration, 3 differences found. */
  run(args: readonly string[], io: Io): Promise<number>
}

/** Wrong usage: one sentence, exit 2. */
export class UsageError extends Error {}

/** The command could not do its work: one sentence, exit 1. The code is for the failure envelope (`--json`). */
export class CommandFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly more: FailureParts = {},
  ) {
    super(message)
  }
}

interface FailureParts {
  /** Printed on stderr in place of the message. */
  lines?: readonly string[]
  /** The `details` of the failure envelope. */
  details?: object
}

/** Waits for the result of a service. When the service finds nothing, throws a sentence that names the object. */
export async function found<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'NOT_FOUND')
      throw new CommandFailure('NOT_FOUND', `The project has no ${what}.`)
    throw error
  }
}
