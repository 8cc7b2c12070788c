import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { activesBetween, sessionDays } from '../../src/insight/telemetry/figures'
import { playTimeOf } from '../../src/insight/telemetry/hooks'
import { figuresOf } from '../../src/insight/telemetry/pack'
import { dayOf, packKey } from '../../src/insight/telemetry/pack-key'
import { writePack } from '../../src/insight/telemetry/pack-text'
import { SESSION_EVENT_TYPES, type SessionEvent } from '../../src/insight/telemetry/session-event'
import { TEST_KEY, TestClock } from '../support/context'
import { type Child, startServer } from './children'
import { alternate, type Measured, median, pieceRound, runRound } from './measure'
import type { Row } from './report'
import { bearer, toRequest } from './requests'
import { deviceOf, seed } from './seed'
import type { Template } from './template'

/** Each load has subscribers of its own, so that the next one does not find the packs of the one before. */
const SUBSCRIBERS = 10_000
const BATCH = 200
const AIM_PER_SECOND = 50_000
const BARE_BATCHES = 100

/** Of the growing database: who there is, and what a day brings. */
const PEOPLE = 500_000
const ACTIVE_A_DAY = 200_000
const EVENTS_EACH = 5
const SIZES = [1_000_000, 10_000_000]
const MORE = 100_000_000
const YEAR = 365_000_000

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  rounds: number
  seconds: number
  /** Whether the second, larger size is measured too. */
  isLarge: boolean
  say: (line: string) => void
}

/** Session events a second beside bare inserts of the same bytes, and what a large database of them costs. */
export async function benchTelemetry(plan: Plan): Promise<Row[]> {
  const { template, say } = plan
  const folder = join(plan.folder, 'telemetry')
  seed(template, folder, SUBSCRIBERS * (SIZES.length + 1), say, ['subscribers'])
  const rows = [await measureLoad(plan, folder, 0)]
  let held = 0
  for (const size of plan.isLarge ? SIZES : SIZES.slice(0, 1)) {
    const before = sizeOf(folder)
    fill(join(folder, 'svc.db'), template.project.id, held, size)
    const bytes = (sizeOf(folder) - before) / (size - held)
    held = size
    say(`${size.toLocaleString('en')} session events`)
    rows.push(...toSizeRows(size, bytes), ...(await measureQueries(folder, template.project.id, size)))
    rows.push(await measureLoad(plan, folder, size))
  }
  return rows
}

async function measureLoad(
  { command, template, rounds, seconds, say }: Plan,
  folder: string,
  held: number,
): Promise<Row> {
  const size = held.toLocaleString('en')
  const server: Child = await startServer(command, folder)
  const bare = new BareInserts(folder, size)
  try {
    const next = batches(template.project.publicKey, SUBSCRIBERS * (SIZES.indexOf(held) + 1))
    const { server: measured, bare: inserted } = await alternate<'server' | 'bare'>(rounds, {
      server: () => runRound(server, { next, durationMs: seconds * 1000, wanted: ['202'] }),
      bare: async () => bare.round(),
    })
    say(`sessions, ${size}: ${measured.cores?.toFixed(2)} cores for ${Math.round(measured.perSecond * BATCH)} events/s`)
    return toLoadRow(size, measured, inserted)
  } finally {
    bare.close()
    await server.stop()
  }
}

function toLoadRow(size: string, measured: Measured, bare: Measured): Row {
  const { p50Ms, p99Ms, perSecond, faults, rounds } = measured
  return {
    what: `POST /v1/sdk/sessions, ${BATCH} events each, ${size} before (yardstick: one insert for each event)`,
    result: { value: perSecond * BATCH, unit: 'events/s', p50Ms, p99Ms },
    yardstick: { value: bare.perSecond * BATCH, unit: 'events/s' },
    aim: { of: 'result', is: 'at least', value: AIM_PER_SECOND },
    faults,
    rounds,
  }
}

/** Batches of events that nobody has sent before: sessions of one and a half minutes in the last day. */
function batches(key: string, first: number): () => Uint8Array {
  let turn = 0
  return () => {
    const subscriberId = deviceOf(first + (turn % SUBSCRIBERS) + 1)
    return toRequest('POST', '/v1/sdk/sessions', bearer(key), { subscriberId, events: batchOf(turn++, Date.now()) })
  }
}

const batchOf = (turn: number, now: number) =>
  Array.from({ length: BATCH }, (_, index) => ({
    type: SESSION_EVENT_TYPES[index % 3],
    occurredAt: new Date(now - (BATCH - index) * 30 * SECOND - (turn % 1000)).toISOString(),
    durationMs: index % 3 === 0 ? null : 60_000 + ((turn + index) % 30_000),
    appVersion: '2.14.1',
    sdkVersion: '1.3.0',
  }))

/** The same events, parsed from the same bytes, with one plain statement each and one synced commit for a batch. */
class BareInserts {
  private readonly database: Database.Database
  private readonly insert: ReturnType<Database.Database['prepare']>
  private turn = 0

  constructor(folder: string, name: string) {
    this.database = new Database(join(folder, `bare-${name}.db`))
    this.database.exec('PRAGMA journal_mode = WAL')
    this.database.exec('PRAGMA synchronous = FULL')
    this.database.exec(`CREATE TABLE one (id text PRIMARY KEY NOT NULL, subscriber text, type text, at integer,
      duration integer, app text, sdk text)`)
    this.insert = this.database.prepare('INSERT INTO one VALUES (?, ?, ?, ?, ?, ?, ?)')
  }

  round() {
    const bodies = Array.from({ length: BARE_BATCHES }, (_, index) => {
      return JSON.stringify({ subscriberId: deviceOf(index + 1), events: batchOf(this.turn++, Date.now()) })
    })
    const startedAt = performance.now()
    for (const body of bodies) this.commit(body)
    return pieceRound(BARE_BATCHES, performance.now() - startedAt)
  }

  private commit(body: string): void {
    const { subscriberId, events } = JSON.parse(body) as { subscriberId: string; events: ReturnType<typeof batchOf> }
    this.database.exec('BEGIN')
    for (const [index, { type, occurredAt, durationMs, appVersion, sdkVersion }] of events.entries())
      this.insert.run([
        `${subscriberId} ${this.turn} ${occurredAt} ${index}`,
        subscriberId,
        type ?? '',
        Date.parse(occurredAt),
        durationMs,
        appVersion,
        sdkVersion,
      ])
    this.database.exec('COMMIT')
  }

  close(): void {
    this.database.close()
  }
}

/** Writes the packs of further days, each day in an order that is not that of its keys, as they come from apps. */
function fill(path: string, projectId: string, held: number, size: number): void {
  const database = new Database(path)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -1000000'])
    database.exec(`PRAGMA ${pragma}`)
  database.exec(`INSERT OR IGNORE INTO session_projects (project_id) VALUES ('${projectId}')`)
  const { number } = database.prepare('SELECT number FROM session_projects').get([]) as { number: number }
  const insert = database.prepare('INSERT INTO session_packs VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const perDay = ACTIVE_A_DAY * EVENTS_EACH
  const today = dayOf(Date.now())
  for (let done = held; done < size; done += perDay) {
    const day = today - 1 - done / perDay
    database.exec('BEGIN')
    for (let index = 0; index < ACTIVE_A_DAY; index++) {
      const subject = 1_000_000 + ((index * 48_271 + day * 7919) % PEOPLE)
      const events = eventsOf(day, index)
      const { opens, timed, playMs } = figuresOf(events)
      const text = writePack(events)
      insert.run([packKey(day, subject, 0), number, day, opens, timed, playMs, text.events, text.versions])
    }
    database.exec('COMMIT')
  }
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

const eventsOf = (day: number, index: number): SessionEvent[] =>
  Array.from({ length: EVENTS_EACH }, (_, turn) => ({
    type: SESSION_EVENT_TYPES[turn % 2 === 0 ? 0 : 2],
    occurredAt: day * DAY + ((index * 104_729 + turn * 5_000_011) % DAY),
    durationMs: turn % 2 === 0 ? 0 : 30_000 + ((index * 31 + turn) % 900_000),
    appVersion: '2.14.1',
    sdkVersion: '1.3.0',
  }))

/** Without pages that are still in the log. */
function sizeOf(folder: string): number {
  const path = join(folder, 'svc.db')
  const database = new Database(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(path).size
}

const toSizeRows = (size: number, bytes: number): Row[] => [
  plainRow(`disk for a session event, ${size.toLocaleString('en')} of them`, bytes, 'bytes'),
  plainRow(`disk for ${MORE.toLocaleString('en')} events, extrapolated`, (bytes * MORE) / 1e6, 'MB'),
  plainRow('disk for a year of 1,000,000 events a day, extrapolated', (bytes * YEAR) / 1e6, 'MB'),
]

const plainRow = (what: string, value: number, unit: Row['result']['unit']): Row => ({
  what,
  result: { value, unit },
  yardstick: null,
  aim: null,
})

async function measureQueries(folder: string, projectId: string, size: number): Promise<Row[]> {
  const config = readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY })
  const ctx = await createContext(config, { clock: new TestClock(Date.now()) })
  try {
    const last = dayOf(Date.now()) - 1
    const rows: Row[] = []
    for (const [what, query] of queriesOf(ctx, projectId, last)) {
      const times: number[] = []
      for (let turn = 0; turn < 5; turn++) {
        const startedAt = performance.now()
        await query()
        times.push(performance.now() - startedAt)
      }
      rows.push(plainRow(`${what}, ${size.toLocaleString('en')} events`, median(times), 'ms'))
    }
    return rows
  } finally {
    await ctx.close()
  }
}

const queriesOf = (ctx: Context, projectId: string, last: number): [what: string, query: () => Promise<unknown>][] => [
  ['sessions of a day (200,000 active)', () => sessionDays(ctx, projectId, [last, last])],
  ['daily actives', () => activesBetween(ctx, projectId, [last, last])],
  ['weekly actives', () => activesBetween(ctx, projectId, [last - 6, last])],
  ['monthly actives', () => activesBetween(ctx, projectId, [last - 29, last])],
  ['play time of a subscriber', () => playTimeOf(ctx, 'sub_none')],
]
