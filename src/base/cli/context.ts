import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { type Config, type ConfigFlags, readConfig } from '../config'
import type { Context } from '../context'
import { isUnavailable } from '../db/errors'
import { migrationStatus } from '../db/migrate'
import { createLog } from '../lib/log'
import { CommandFailure, type Io } from './command'
import { assertPresent } from './database-file'
import { machineEnvironment } from './installation'

/**
 * Opens the configured database for one command and closes it afterwards. Refuses a database that is not there or not
 * migrated, and creates none.
 */
export async function withContext<Result>(
  io: Io,
  flags: ConfigFlags,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(machineEnvironment(io, flags), flags)
  assertPresent(config)
  const ctx = await openContext(io, config)
  try {
    await assertMigrated(ctx)
    return await work(ctx)
  } finally {
    await ctx.close()
  }
}

/** A context that logs only warnings and errors, so that the output of the command stays readable. */
export async function openContext(io: Io, config: Config): Promise<Context> {
  const log = createLog({
    level: config.logLevel === 'info' ? 'warn' : config.logLevel,
    now: () => io.clock.now(),
    isHuman: io.isTerminal,
  })
  try {
    return await io.program.createContext(config, { clock: io.clock, log })
  } catch (error) {
    throw new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error, config))
  }
}

/** Why the database cannot be opened, in one sentence that says what to do. */
export function openFailure(error: unknown, config: Pick<Config, 'dataDir' | 'database'>): string {
  if (isLibraryFault(error)) return NO_LIBRARY
  const folder = config.database.kind === 'file' ? dirname(config.database.path) : null
  if (folder !== null && isDenied(folder)) return notWritable(folder)
  const reason = error instanceof Error ? error.message : String(error)
  return `The database cannot be opened (${reason}); check SVC_DATABASE_URL, SVC_DATA_DIR and their permissions.`
}

/** The executable unpacks a library into the temporary folder before it can open a database. */
export const isLibraryFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED'

export const NO_LIBRARY = `svc unpacks a library into a temporary folder and runs it there, and ${tmpdir()} does not allow that; set BUN_TMPDIR to a folder that may be written and executed, such as /var/cache/svc.`

/**
 * Whether the folder exists and belongs to another user of the machine. Another disk or a wrong path is no question of
 * the owner.
 */
function isDenied(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
  }
}

/** As of a folder of the host that a container has mounted. */
function notWritable(folder: string): string {
  const uid = process.getuid?.() ?? 0
  return `This user (id ${uid}) cannot write in ${folder}; give it the folder: chown ${uid} ${folder}`
}

async function assertMigrated(ctx: Context): Promise<void> {
  const missing = (await statusOf(ctx)).filter(({ isApplied }) => !isApplied)
  if (missing.length > 0)
    throw new CommandFailure('DATABASE_UNAVAILABLE', 'The database is not set up or not up to date; run: svc migrate')
}

async function statusOf(ctx: Context) {
  try {
    return await migrationStatus(ctx.storage)
  } catch (error) {
    if (isUnavailable(error)) throw new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error, ctx.config))
    throw error
  }
}
