import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createApp } from '../../src/app'
import { type Config, readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import type { Migrations } from '../../src/base/db/migrations'
import type { Clock } from '../../src/base/lib/clock'
import { createIds } from '../../src/base/lib/ids'
import { createLog } from '../../src/base/lib/log'
import type { Slice } from '../../src/base/slice'
import { createContext, openDatabase } from '../../src/create-context'
import { atEnd } from './cleanup'
import { createPostgresDatabase, dropPostgresDatabase, isPostgresRun } from './postgres'

export const NOW = Date.UTC(2026, 10, 20, 8, 0, 0)

/** A clock that stands still until a test moves it. */
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

/** A program of other slices than the product's. */
export interface Parts {
  slices: readonly Slice[]
  migrations: Migrations
}

interface Options {
  now?: number
  env?: Record<string, string>
  parts?: Parts
}

/** A context over a fresh database: a copy of a migrated template file, or an own Postgres database (SVC_TEST_DIALECT). */
export async function testContext({ now = NOW, env = {}, parts }: Options = {}): Promise<TestContext> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const database = await databaseEnv(folder)
  const config = readConfig({
    SVC_DATA_DIR: folder,
    SVC_RATE_KEY: '0',
    SVC_RATE_IP: '0',
    SVC_MASTER_KEY: TEST_KEY,
    ...database,
    ...env,
  })
  const clock = new TestClock(now)
  const lines: string[] = []
  const log = createLog({ level: 'info', now: () => clock.now(), write: (line) => lines.push(line) })
  const ids = createIds(() => clock.now(), seededRandom(nextSeed++))
  const ctx = await createContext(config, { clock, log, ids, ...parts })
  if (env.SVC_DATABASE_URL !== undefined || parts) await migrate(ctx.storage)
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

export const TEST_KEY = Buffer.alloc(32, 7).toString('base64')

let nextSeed = 1

async function databaseEnv(folder: string): Promise<{ SVC_DATABASE_URL?: string }> {
  if (isPostgresRun()) return { SVC_DATABASE_URL: await createPostgresDatabase() }
  const template = await migratedTemplate()
  cpSync(template, join(folder, 'svc.db'))
  return {}
}

let template: Promise<string> | undefined

/** One migrated file per test process; a copy of it costs less than a millisecond. */
function migratedTemplate(): Promise<string> {
  template ??= makeTemplate()
  return template
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-template-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const config: Config = readConfig({ SVC_DATA_DIR: folder })
  const storage = await openDatabase(config)
  await migrate(storage)
  await storage.db.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  await storage.close()
  return join(folder, 'svc.db')
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

/** The app over a context, called in process. */
export function testApp(ctx: Context, slices?: readonly Slice[]): TestApp {
  const app = createApp(ctx, slices)
  return { handle: (request) => app.handle(request), routes: app.routes.map(({ method, path }) => `${method} ${path}`) }
}

export interface TestApp {
  handle(request: Request): Promise<Response>
  routes: string[]
}
