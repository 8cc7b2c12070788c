import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { createKey, revokeKey } from '../../src/projects/project/service'
import { makeProject } from '../support/cast'
import type { TestContext } from '../support/context'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { startProxy } from '../support/proxy'
import { type Child, startServer } from './children'
import type { Aim, Row } from './report'
import { bearer } from './requests'
import { deviceOf, seed } from './seed'
import type { Template } from './template'

const DEVICES = 1000
const CALLERS = 150
const KEYS = 20
/** Without this, each refusal would write a line to the log. */
const QUIET = { SVC_LOG_LEVEL: 'off' }

/** Every answer within 8 s (wire 3.2); a change by another process is seen within 2 s (wire 1.7). */
const ANSWERED_WITHIN: Aim = { of: 'result', is: 'at most', value: 8000 }
const SEEN_WITHIN: Aim = { of: 'result', is: 'at most', value: 2000 }

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  say: (line: string) => void
}

/**
 * How long callers wait while the database does not work, and how long a key works after another process has revoked
 * it.
 */
export async function benchFaults(plan: Plan): Promise<Row[]> {
  const folder = join(plan.folder, 'trouble')
  seed(plan.template, folder, DEVICES, plan.say)
  const server = await startServer(plan.command, folder, QUIET)
  const { publicKey } = plan.template.project
  try {
    return [
      ...(await locked(server, folder, publicKey)),
      await revoked(server, folder, plan.template),
      ...(await frozen(plan.command, join(plan.folder, 'frozen'))),
    ]
  } finally {
    await server.stop()
  }
}

async function locked(server: Child, folder: string, key: string): Promise<Row[]> {
  const database = new Database(join(folder, 'svc.db'))
  database.exec('PRAGMA busy_timeout = 5000') // The server may be writing.
  database.exec('BEGIN IMMEDIATE')
  try {
    return await waitingRows(server, key, 'a file that is locked for good')
  } finally {
    database.close()
  }
}

/** PostgreSQL behind a connection that stops passing data without being closed. */
async function frozen(command: readonly string[], folder: string): Promise<Row[]> {
  if (postgresMissing() !== null) return []
  const postgres = await startPostgres()
  const url = new URL(postgres.url)
  const proxy = await startProxy(Number(url.port))
  url.port = String(proxy.port)
  const { publicKey } = await withContext({ SVC_DATABASE_URL: url.toString() }, async (ctx) => {
    await migrate(ctx.storage)
    return makeProject(ctx as TestContext, 1, {})
  })
  const server = await startServer(command, folder, { ...QUIET, SVC_DATABASE_URL: url.toString() })
  try {
    await write(server, publicKey, 0)
    proxy.freeze()
    return await waitingRows(server, publicKey, 'a PostgreSQL that hangs')
  } finally {
    proxy.thaw()
    await server.stop()
    await proxy.leave()
    await postgres.stop()
  }
}

/** The slowest 503, and meanwhile the slowest answer to a call that needs no database. */
async function waitingRows(server: Child, key: string, cause: string): Promise<Row[]> {
  const health = watch(() => fetch(`${server.url}/health`))
  const calls = await Promise.all(Array.from({ length: CALLERS }, (_, index) => timed(() => write(server, key, index))))
  const row = (what: string, all: readonly Timed[], wanted: number, aim: Aim | null): Row => ({
    what: `${cause}: slowest of ${what}`,
    result: { value: Math.max(...all.map(({ ms }) => ms)), unit: 'ms' },
    yardstick: null,
    aim,
    faults: faultsOf(all, wanted),
  })
  return [row(`${CALLERS} answers`, calls, 503, ANSWERED_WITHIN), row('/health meanwhile', await health(), 200, null)]
}

async function revoked(server: Child, folder: string, { project }: Template): Promise<Row> {
  const waits = await withContext({ SVC_DATA_DIR: folder }, async (ctx) => {
    const all: number[] = []
    for (let turn = 0; turn < KEYS; turn++) all.push(await revokeOnce(ctx, server, project.id))
    return all
  })
  return {
    what: 'a key revoked by another process: slowest of 20 until it is refused',
    result: { value: Math.max(...waits), unit: 'ms' },
    yardstick: null,
    aim: SEEN_WITHIN,
    rounds: waits,
  }
}

async function revokeOnce(ctx: Context, server: Child, projectId: string): Promise<number> {
  const { key, publicKey } = await createKey(ctx, projectId, { label: 'bench' })
  const headers = bearer(publicKey ?? '')
  const status = async () => (await fetch(`${server.url}/v1/offerings`, { headers })).status
  while ((await status()) !== 200) await Bun.sleep(5) // Waits until the key is known.
  await revokeKey(ctx, key.id)
  const revokedAt = performance.now()
  while ((await status()) !== 401) await Bun.sleep(1)
  return performance.now() - revokedAt
}

interface Timed {
  status: number
  ms: number
}

async function timed(call: () => Promise<Response>): Promise<Timed> {
  const startedAt = performance.now()
  const { status } = await call()
  return { status, ms: performance.now() - startedAt }
}

/** Repeats a call until the returned function is called, which gives the answers. */
function watch(call: () => Promise<Response>): () => Promise<Timed[]> {
  let isOn = true
  const all: Timed[] = []
  const watching = (async () => {
    while (isOn) {
      all.push(await timed(call))
      await Bun.sleep(10)
    }
  })()
  return async () => {
    isOn = false
    await watching
    return all
  }
}

function faultsOf(all: readonly Timed[], wanted: number): Record<string, number> {
  const wrong = all.filter(({ status }) => status !== wanted)
  return Object.fromEntries(wrong.map(({ status }) => [status, wrong.filter((one) => one.status === status).length]))
}

const write = ({ url }: Child, key: string, index: number): Promise<Response> =>
  fetch(`${url}/v1/me/attributes`, {
    method: 'POST',
    headers: { ...bearer(key), 'x-svc-app-user-id': deviceOf(index), 'content-type': 'application/json' },
    body: JSON.stringify({ attributes: { plan: `value ${index}` } }),
  })

async function withContext<Result>(
  env: Record<string, string>,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({ SVC_MASTER_KEY: 'off', ...env })
  const ctx = await createContext(config, { log: createLog({ level: 'off', now: () => 0 }) })
  try {
    return await work(ctx)
  } finally {
    await ctx.close()
  }
}
