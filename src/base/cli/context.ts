import { type Config, type ConfigFlags, readConfig } from '../config'
import type { Context } from '../context'
import { isUnavailable } from '../db/errors'
import { migrationStatus } from '../db/migrate'
import { createLog } from '../lib/log'
import { CommandFailure, type Io } from './command'
import { assertPresent } from './database-file'
import { environmentOf } from './installation'

/**
 * Opens the configured database for one command and closes it afterwards. Refuses a database that is not there or not
 * migrated, and creates none.
 */
export async function withContext<Result>(
  io: Io,
  flags: ConfigFlags,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(environmentOf(io, flags), flags)
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
    throw new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error))
  }
}

/** Why the database cannot be opened, in one sentence that says what to do. */
export function openFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `The database cannot be opened (${reason}); check SVC_DATABASE_URL, SVC_DATA_DIR and their permissions.`
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
    if (isUnavailable(error)) throw new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error))
    throw error
  }
}
