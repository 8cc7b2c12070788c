import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Io } from '../../src/base/cli/command'
import { footerLine } from '../../src/base/db/dump'
import { canonicalJson, sha256Hex } from '../../src/base/lib/hash'
import { MAX_INT64 } from '../../src/base/lib/int64'
import { runCommandLine } from '../../src/cli/main'
import { bookEntry } from '../../src/people/currencies/booking'
import { PROGRAM } from '../../src/program'
import { COINS, MONTHLY, type Stage, stage } from './cast'
import { NOW, TestClock, type TestContext, testContext } from './context'
import { tempFolder } from './process'

type Env = Record<string, string>

export interface Ran {
  code: number
  out: string
  err: string
}

/** A command line in this process, without a terminal. */
export async function svc(
  argv: string[],
  env: Env,
  stopped = new Promise<void>(() => {}),
  program = PROGRAM,
  now = NOW,
): Promise<Ran> {
  const said = { out: [] as string[], err: [] as string[] }
  const io: Io = {
    out: (line) => void said.out.push(line),
    err: (line) => void said.err.push(line),
    isTerminal: false,
    env,
    clock: new TestClock(now),
    confirm: async () => false,
    progress: () => {},
    program,
    stopped,
  }
  const code = await runCommandLine(argv, io)
  return { code, out: said.out.join('\n'), err: said.err.join('\n') }
}

export const linesOf = (path: string): string[] => gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')

/** A backup's header without its time, and its rows. */
export function contentOf(path: string) {
  const [header, ...rows] = linesOf(path).slice(0, -1)
  return { header: { ...JSON.parse(header ?? ''), createdAt: null }, rows }
}

/**
 * The same with sorted rows and sorted JSON members, because jsonb sorts members and each driver has its own order of
 * rows.
 */
export function portableContentOf(path: string) {
  const { header, rows } = contentOf(path)
  const respell = (_name: string, value: unknown) =>
    typeof value === 'string' && /^[[{]/.test(value) ? canonicalJson(JSON.parse(value)) : value
  return { header, rows: rows.map((line) => JSON.stringify(JSON.parse(line), respell)).sort() }
}

/** Writes a backup whose footer fits the given lines. */
export function writeBackup(path: string, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join('')
  writeFileSync(path, gzipSync(text + footerLine({ rows: lines.length - 1, sha256: sha256Hex(text) })))
}

/** The environment of a database file in a folder. */
export const at = (folder: string): Env => ({ SVC_DATABASE_URL: `file:${folder}/svc.db`, SVC_DATA_DIR: folder })

export function envOf({ config: { database, dataDir } }: TestContext): Env {
  return { SVC_DATABASE_URL: database.kind === 'file' ? `file:${database.path}` : database.url, SVC_DATA_DIR: dataDir }
}

/** Opens the database of an environment, runs the work and closes it. */
export async function withDatabase(env: Env, work: (ctx: TestContext) => Promise<unknown>): Promise<void> {
  const ctx = await testContext({ env })
  try {
    await work(ctx)
  } finally {
    await ctx.close()
  }
}

export interface Bench {
  stage: Stage
  /** The backup of the stage. */
  file: string
  /** A path at which there is no file yet. */
  fresh(name: string): string
  backUp(env: Env): Promise<string>
  close(): Promise<void>
}

/** A deployment with some rows of every kind, its backup, and a folder for copies. */
export async function backupBench(): Promise<Bench> {
  const temp = tempFolder()
  let count = 0
  const fresh = (name: string) => join(temp.path, `${++count}-${name}`)
  const backUp = async (env: Env) => {
    const path = fresh('backup.gz')
    const { code, err } = await svc(['backup', path], env)
    if (code !== 0) throw new Error(err)
    return path
  }
  const s = await stage({ env: at(fresh('stage')) })
  await s.receipt('svc_ada', s.buy(MONTHLY, { withTrial: true }))
  const bo = await s.receipt('svc_bo', s.buy(COINS))
  await s.post('/v1/identify', { deviceKey: 'svc_bo', appUserId: 'bo "quoted" \\ äöü 💳' })
  await s.ctx.write((tx) => book(tx, s.project.id, bo.body.data.subscriber.id, -30))
  const raw = `{"amount":${MAX_INT64},"idempotencyKey":"most"}`
  await s.call('POST', '/v1/virtual-currencies/svc_ada/gems/transactions', { raw, key: s.project.secretKey })
  const close = async () => {
    await s.close()
    temp.remove()
  }
  return { stage: s, file: await backUp(envOf(s.ctx)), fresh, backUp, close }
}

/** Writes a line into the ledger of the currency `coins` through the service. */
export function book(tx: Parameters<typeof bookEntry>[0], projectId: string, subscriberId: string, amount: number) {
  const currencyId = 'vcy_1coins'.padEnd(30, '0')
  return bookEntry(tx, {
    projectId,
    subscriberId,
    currencyId,
    type: amount < 0 ? 'SPEND' : 'BONUS',
    amount: BigInt(amount),
  })
}

/** An event row without a subscriber. */
export const eventOf = (id: string, data: Record<string, unknown> = {}) => ({
  id,
  projectId: 'prj',
  subscriberId: null,
  seq: null,
  type: 'test',
  environment: 'SANDBOX' as const,
  appUserId: null,
  occurredAt: 0,
  recordedAt: 0,
  cause: { kind: 'API' as const, ref: null, store: null, detail: null },
  before: null,
  after: null,
  data,
})
