import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import postgres from 'postgres'
import { examine } from '../../src/cli/doctor'
import { PROGRAM } from '../../src/program'
import { svc } from './backup'
import { type TestApp, TestClock, type TestContext, testApp, testContext } from './context'
import { createPostgresDatabase, dropPostgresDatabase, isPostgresRun } from './postgres'
import { tempFolder } from './process'

/** The folder with the database of svc 1.0.0 and its recorded answers. `make.ts` in it has created all of them. */
export const KEPT = join(import.meta.dir, '../fixtures/present')

/** One request and its answer. */
export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  answer: RecordedAnswer
}

export interface RecordedAnswer {
  status: number
  /** The headers of `RECORDED_HEADERS` that the answer has. */
  headers: Record<string, string>
  body: unknown
}

/** One command line and what it printed. */
export interface Ran {
  args: string[]
  code: number
  out: string
}

export interface Recorded {
  /** The instant of the last change, at which all requests were sent. */
  now: number
  requests: RecordedRequest[]
  commands: Ran[]
  /** What `svc doctor` says of the database and its projects. */
  checks: string[][]
  keys: Record<string, { projectId: string; publicKey: string; secretKey: string }>
}

type Dialect = 'file' | 'postgres'
export const dialectOfRun = (): Dialect => (isPostgresRun() ? 'postgres' : 'file')

const unpack = (name: string): Buffer => brotliDecompressSync(readFileSync(join(KEPT, name)))

/** The recorded answers of a dialect. */
export const readRecorded = (dialect = dialectOfRun()): Recorded =>
  JSON.parse(unpack(`answers.${dialect}.json.br`).toString()) as Recorded

/** An environment in which no store can be reached. */
export const NO_STORES = {
  SVC_IOS_API_URL: 'http://127.0.0.1:9',
  SVC_ANDROID_API_URL: 'http://127.0.0.1:9',
  SVC_ANDROID_TOKEN_URL: 'http://127.0.0.1:9',
  SVC_PAYMENT_API_URL: 'http://127.0.0.1:9',
}

export interface Place {
  env: Record<string, string>
  remove(): void
}

/** A data folder with the recorded master key, and an empty database of the run's dialect. */
export async function emptyPlace(): Promise<Place> {
  const { path, remove } = tempFolder()
  writeFileSync(join(path, 'master.key'), readFileSync(join(KEPT, 'master.key')), { mode: 0o600 })
  const env = {
    ...NO_STORES,
    SVC_DATA_DIR: path,
    SVC_MASTER_KEY: '',
    SVC_RATE_KEY: '0',
    SVC_RATE_IP: '0',
    SVC_RATE_NEW: '0',
  }
  if (!isPostgresRun()) return { env: { ...env, SVC_DATABASE_URL: `file:${path}/svc.db` }, remove }
  const url = await createPostgresDatabase()
  await runScript(url, 'drop schema public cascade; create schema public')
  return {
    env: { ...env, SVC_DATABASE_URL: url },
    remove() {
      dropPostgresDatabase(url)
      remove()
    },
  }
}

/** A data folder with the recorded master key and database, not opened yet. */
export async function keptPlace(): Promise<Place> {
  const place = await emptyPlace()
  const { SVC_DATA_DIR: folder = '', SVC_DATABASE_URL: url = '' } = place.env
  if (isPostgresRun()) await runScript(url, unpack('postgres.sql.br').toString())
  else writeFileSync(join(folder, 'svc.db'), unpack('svc.db.br'))
  return place
}

async function runScript(url: string, script: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await client.unsafe(script)
  } finally {
    await client.end()
  }
}

export interface Opened {
  ctx: TestContext
  app: TestApp
}

/** Opens an existing database: migrates it, and sets the clock to the given instant. */
export async function openPlace({ env }: Place, now: number): Promise<Opened> {
  const ctx = await testContext({ now, env })
  return { ctx, app: testApp(ctx) }
}

const RECORDED_HEADERS = [
  'content-type',
  'etag',
  'cache-control',
  'x-svc-experiment',
  'idempotency-replayed',
  'location',
]

/**
 * Sends a request and returns its answer. Ids and times in it come from the database and the clock, so that they are
 * the same in each run.
 */
export async function ask(
  app: TestApp,
  { method, path, headers, body }: Omit<RecordedRequest, 'answer'>,
): Promise<RecordedAnswer> {
  const request = new Request(`http://localhost${path}`, { method, headers, ...(body === null ? {} : { body }) })
  const response = await app.handle(request)
  const text = await response.text()
  const kept = RECORDED_HEADERS.map((name) => [name, response.headers.get(name)]).filter(([, value]) => value !== null)
  return { status: response.status, headers: Object.fromEntries(kept), body: JSON.parse(text || 'null') }
}

/**
 * Runs a command line while another process may have the database open. The command reads the clock of the machine,
 * which appears in one answer.
 */
export async function run({ env }: Place, args: string[]): Promise<Ran> {
  const { code, out, err } = await svc(args, env)
  return { args, code, out: (out + err).replace(/("generatedAt": )"[^"]+"/, '$1"now"') }
}

/** The checks of `svc doctor`, without those of the machine. */
export async function checksOf({ env }: Place, now: number): Promise<string[][]> {
  const checks = await examine(PROGRAM, env, {}, new TestClock(now))
  return checks
    .filter(({ name }) => /^(migrations|jobs|project )/.test(name))
    .map((one) => [one.name, one.status, one.message])
}
