import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createApp, routesWithin } from '../../src/app'
import { type Config, readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import type { Storage } from '../../src/base/db/handle'
import { migrate } from '../../src/base/db/migrate'
import type { Migrations } from '../../src/base/db/migrations'
import { openPostgres } from '../../src/base/db/postgres'
import { openSqliteFile } from '../../src/base/db/sqlite-file'
import { type Dialect, makeTables, type Tables } from '../../src/base/db/tables'
import type { Clock } from '../../src/base/lib/clock'
import { createIds } from '../../src/base/lib/ids'
import { createLog } from '../../src/base/lib/log'
import type { Slice } from '../../src/base/slice'
import { createContext, openDatabase, tablesOf } from '../../src/create-context'
import { SLICES } from '../../src/slices'
import { atEnd } from './cleanup'
import { checkDocumented } from './documented'
import { createPostgresDatabase, dropPostgresDatabase, type Filling, isPostgresRun, SILENCE_MS } from './postgres'
import { sharedApp } from './shared-app'

export const NOW = Date.UTC(2026, 10, 20, 8, 0, 0)

/** A clock that moves only when a test moves it. */
export class TestClock implements Clock {
  constructor(private instant: number) {}
  now(): number {
    return this.instant
  }
  advance(ms: number): void {
    this.instant += ms
  }
  set(instant: number): void {
    this.instant = instant
  }
}

export interface TestContext extends Context {
  readonly clock: TestClock
  /** Log lines written so far. */
  readonly lines: string[]
}

interface Options {
  now?: number
  /** Others than those of the product, with the migrations that they need. */
  slices?: readonly Slice[]
  migrations?: Migrations
  env?: Record<string, string>
  /**
   * What the database contains at the beginning. It is kept, so that the next context with the same name gets a copy.
   */
  content?: Content
}

/** What a database is filled with before a test. The same name and instant always give the same rows. */
export interface Content {
  name: string
  fill(ctx: TestContext): Promise<void>
}

/** A context over a fresh database: a copy of a migrated template file, or an own Postgres database (SVC_TEST_DIALECT). */
export async function testContext({
  now = NOW,
  env = {},
  content,
  slices = SLICES,
  migrations,
}: Options = {}): Promise<TestContext> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const isOwn = env.SVC_DATABASE_URL !== undefined
  const database = isOwn
    ? {}
    : await databaseEnv(folder, content && { ...content, name: `${content.name} ${now}` }, now)
  const ctx = await openTestContext({ folder, database, now, env, slices, ...(migrations && { migrations }) })
  if (isOwn || migrations) await migrate(ctx.storage)
  if (isOwn) await content?.fill(ctx)
  return ctx
}

interface Opening extends Omit<Options, 'content'> {
  folder: string
  database: { SVC_DATABASE_URL?: string }
  now: number
}

async function openTestContext({ folder, database, now, env = {}, ...parts }: Opening): Promise<TestContext> {
  const config = readConfig({
    SVC_DATA_DIR: folder,
    SVC_RATE_KEY: '0',
    SVC_RATE_IP: '0',
    SVC_RATE_NEW: '0',
    SVC_MASTER_KEY: TEST_KEY,
    SVC_FX_URL: 'off',
    ...database,
    ...env,
  })
  const clock = new TestClock(now)
  const lines: string[] = []
  const log = createLog({ level: 'info', now: () => clock.now(), write: (line) => lines.push(line) })
  const ids = createIds(() => clock.now(), seededRandom(nextSeed++))
  const storage = await openTestStorage(config, parts)
  const ctx = await createContext(config, { clock, log, ids, storage, ...parts })
  const close = ctx.close
  return Object.assign(ctx as TestContext, {
    lines,
    close: async () => {
      await close()
      if (database.SVC_DATABASE_URL !== undefined) dropPostgresDatabase(database.SVC_DATABASE_URL)
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

/** The tables of the product by dialect. Describing them takes a third of the time that a context takes. */
const tablesIn = new Map<Dialect, Tables>()

/** As `openDatabase`, with the same tables for every context. */
async function openTestStorage(config: Config, { slices, migrations }: Pick<Options, 'slices' | 'migrations'>) {
  const { database } = config
  if (slices !== SLICES || migrations) return openDatabase(config, slices, migrations)
  if (database.kind === 'file') return openSqliteFile(database.path, productTables('sqlite'))
  if (database.kind === 'postgres')
    return openPostgres(database.url, productTables('postgres'), undefined, { ...database, silenceMs: SILENCE_MS })
  return openDatabase(config)
}

function productTables(dialect: Dialect): Tables {
  const tables = tablesIn.get(dialect) ?? makeTables(dialect, tablesOf())
  tablesIn.set(dialect, tables)
  return tables
}

export const TEST_KEY = Buffer.alloc(32, 7).toString('base64')

let nextSeed = 1

/** Waits until changes by other processes are seen. On PostgreSQL, answers are kept only from then on. */
export async function untilWatching({ storage }: Pick<Context, 'storage'>): Promise<void> {
  while (storage.changes?.isWatching?.() === false) await Bun.sleep(2)
}

/** Waits at most 20 s. On PostgreSQL, the notification of a change by another process must arrive. */
export async function eventually(isSo: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + 20_000; performance.now() < until; await Bun.sleep(1)) if (await isSo()) return
}

async function databaseEnv(
  folder: string,
  content: Content | undefined,
  now: number,
): Promise<{ SVC_DATABASE_URL?: string }> {
  if (isPostgresRun()) return { SVC_DATABASE_URL: await createPostgresDatabase(content && onPostgres(content, now)) }
  cpSync(await templateFile(content, now), join(folder, 'svc.db'))
  return {}
}

const onPostgres = ({ name, fill }: Content, now: number): Filling => ({
  name,
  async fill(url) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-template-'))
    const ctx = await openTestContext({ folder, database: { SVC_DATABASE_URL: url }, now })
    await fill(ctx)
    await ctx.storage.close() // The database stays, because it will be copied.
    rmSync(folder, { recursive: true, force: true })
  },
})

/** Template files, each created at its first use. A copy takes less than a millisecond. */
const templates = new Map<string, Promise<string>>()

function templateFile(content: Content | undefined, now: number): Promise<string> {
  const name = content?.name ?? ''
  const known = templates.get(name) ?? (content ? filledFile(content, now) : migratedFile())
  templates.set(name, known)
  return known
}

async function migratedFile(): Promise<string> {
  const folder = templateFolder()
  const storage = await openDatabase(readConfig({ SVC_DATA_DIR: folder }))
  await migrate(storage)
  await settle(storage)
  return join(folder, 'svc.db')
}

async function filledFile({ fill }: Content, now: number): Promise<string> {
  const folder = templateFolder()
  cpSync(await templateFile(undefined, now), join(folder, 'svc.db'))
  const ctx = await openTestContext({ folder, database: {}, now })
  await fill(ctx)
  await settle(ctx.storage) // The folder stays, because it will be copied.
  return join(folder, 'svc.db')
}

function templateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-template-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Moves everything into the one file that is copied. */
async function settle(storage: Storage): Promise<void> {
  await storage.db.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  await storage.close()
}

/** Bytes from a linear congruential generator: ids differ between calls and repeat between runs. */
function seededRandom(seed: number): (length: number) => Uint8Array {
  let state = (seed * 2654435761) >>> 0
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 24
    })
}

/** The mounts that requests below a prefix need, beside the routes at the root. Other requests get all mounts. */
const FAMILIES: readonly (readonly string[])[] = [
  ['/webhooks'],
  ['/ofrep'],
  ['/v1/web/:publicKey'],
  ['/v1'],
  ['/dashboard', '/dashboard/projects/:projectId'],
  ['/api/auth'],
  ['/admin'],
]

const WHOLE: readonly string[] = []

/**
 * The app over a context, called in process. Creating all its routes takes much longer than a request, so only the
 * mounts that a test calls are created; `test/process` runs the whole.
 */
export function testApp(ctx: Context, slices: readonly Slice[] = SLICES): TestApp {
  const parts = new Map<readonly string[], App['handle']>()
  const mountPart = (family: readonly string[]): App['handle'] => {
    const isWanted = (prefix: string) => family === WHOLE || prefix === '' || family.includes(prefix)
    if (slices === SLICES && !ctx.state.limits.isShared) return sharedApp(ctx, family.join(' '), isWanted)
    const app = createApp(ctx, slices, isWanted)
    return (request) => app.handle(request)
  }
  const partFor = (url: string) => {
    const family = FAMILIES.find(([prefix = '']) => isBelow(url, prefix)) ?? WHOLE
    const part = parts.get(family) ?? mountPart(family)
    parts.set(family, part)
    return part
  }
  const handle = async (request: Request) => {
    const answer = await partFor(request.url)(request)
    // What is answered to a caller who has left is read by nobody.
    if (slices === SLICES && !request.signal.aborted) checkDocumented(() => createApp(ctx), ctx, request, answer.status)
    return answer
  }
  ctx.state.application.current = {
    answer: handle,
    routes: () => createApp(ctx, slices).routes,
    within: (own, name) => routesWithin(own, name, slices),
  }
  return {
    handle,
    get routes() {
      return createApp(ctx, slices).routes.map(({ method, path }) => `${method} ${path}`)
    },
  }
}

type App = ReturnType<typeof createApp>

const isBelow = (url: string, prefix: string): boolean => {
  const [start = ''] = prefix.split('/:')
  return `${new URL(url).pathname}/`.startsWith(`${start}/`)
}

export interface TestApp {
  handle(request: Request): Promise<Response>
  readonly routes: string[]
}
