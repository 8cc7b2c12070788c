import { sql } from 'drizzle-orm'
import type { Program } from '../../base/cli/command'
import { isLibraryFault, NO_LIBRARY } from '../../base/cli/context'
import { missingFile, missingSentence } from '../../base/cli/database-file'
import { type Check, fail, ok, warn } from '../../base/cli/doctor'
import { reasonOf } from '../../base/cli/reason'
import type { Config } from '../../base/config'
import type { Storage } from '../../base/db/handle'
import { MigrationError, migrationStatus } from '../../base/db/migrate'
import { type Clock, monotonicMs, SECOND } from '../../base/lib/clock'
import { vaultOf } from './host'
import { checkProjects } from './projects'
import { checkRetention } from './retention'

const NAME = 'database'

/** The checks that need the database. A database that does not answer gives a failed check. */
export async function checkDatabase(program: Program, config: Config, clock: Clock): Promise<Check[]> {
  const missing = missingFile(config)
  if (missing !== null) return [fail(NAME, missingSentence(missing))]
  const done: Check[] = []
  try {
    for await (const check of checksOf(program, config, clock)) done.push(check)
  } catch (error) {
    done.push(fail(NAME, faultOf(error)))
  }
  return done
}

async function* checksOf(program: Program, config: Config, clock: Clock): AsyncGenerator<Check> {
  const storage = await program.openStorage(config)
  try {
    yield await checkAnswer(storage)
    const migrations = await checkMigrations(storage)
    yield migrations
    if (migrations.status === 'fail') return
    yield await checkClock(storage, clock)
    const examined = { handle: storage, config, vault: vaultOf(config), now: clock.now() + config.testClockOffsetMs }
    for (const { database } of program.hooks.doctor ?? []) if (database) yield* await database(examined)
    yield await checkRetention(storage, program.hooks.retention ?? [], examined.now)
    yield* await checkProjects(examined, program.hooks.doctor ?? [])
  } finally {
    await storage.close()
  }
}

const PATIENCE_MS = 10 * SECOND
const SAMPLES = 5

/** Measures the fastest of a few queries, because the first one also opens the connection. */
async function checkAnswer(storage: Storage): Promise<Check> {
  const times: number[] = []
  while (times.length < SAMPLES) {
    const startedAtMs = monotonicMs()
    await within(storage.ping(), PATIENCE_MS)
    times.push(monotonicMs() - startedAtMs)
  }
  return ok(NAME, `${KINDS[storage.driver]} answers in ${Math.min(...times).toPrecision(2)} ms.`)
}

const KINDS = { file: 'The file', remote: 'The libSQL server', replica: 'The replica', postgres: 'PostgreSQL' }

async function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const late = Bun.sleep(ms).then(() => Promise.reject(new Error(`no answer within ${ms / SECOND} s`)))
  late.catch(() => {}) // When the work ends first, nothing awaits this promise.
  return Promise.race([work, late])
}

async function checkMigrations(storage: Storage): Promise<Check> {
  const name = 'migrations'
  try {
    const missing = (await migrationStatus(storage)).filter(({ isApplied }) => !isApplied)
    if (missing.length === 0) return ok(name, 'They are up to date.')
    return fail(name, `Missing: ${missing.map(({ tag }) => tag).join(', ')}; start svc serve, or run: svc migrate`)
  } catch (error) {
    if (error instanceof MigrationError) return fail(name, error.message)
    throw error
  }
}

const MAX_SKEW_MS = 2 * SECOND
const SANE_YEARS = { from: 2025, to: 2100 }

async function checkClock(storage: Storage, clock: Clock): Promise<Check> {
  const name = 'clock'
  const year = new Date(clock.now()).getUTCFullYear()
  if (year < SANE_YEARS.from || year > SANE_YEARS.to) return fail(name, `It is set to the year ${year}; set it right.`)
  const skewMs = await readSkew(storage, clock)
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return ok(name, `It is set to ${new Date(clock.now()).toISOString()}.`)
  const direction = skewMs > 0 ? 'ahead of' : 'behind'
  const seconds = Math.abs(skewMs / SECOND).toFixed(1)
  return warn(name, `The database's clock is ${seconds} s ${direction} this machine's; set both by NTP.`)
}

const POSTGRES_NOW = sql`extract(epoch from clock_timestamp()) * 1000`
const LIBSQL_NOW = sql`(julianday('now') - 2440587.5) * 86400000`

/** How far the clock of the database server is ahead; 0 for a database without a clock of its own. */
async function readSkew({ db, tables, driver }: Storage, clock: Clock): Promise<number> {
  if (driver === 'file' || driver === 'replica') return 0
  const now = (driver === 'postgres' ? POSTGRES_NOW : LIBSQL_NOW).mapWith(Number)
  const askedAt = clock.now()
  const [row] = await db.select({ now }).from(tables.migrations).limit(1)
  return (row?.now ?? askedAt) - (askedAt + clock.now()) / 2
}

const faultOf = (error: unknown): string =>
  isLibraryFault(error)
    ? NO_LIBRARY
    : `It does not answer (${reasonOf(error)}); check SVC_DATABASE_URL and that its server runs.`
