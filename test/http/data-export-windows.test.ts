import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { EXPORT_TABLES, OVERLAP_MS } from '../../src/insight/data-export/model'
import { waitForOpenWrites } from '../../src/insight/figures/open-writes'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { type Exported, exported, freshFolder, jsonRows } from '../support/exports'
import { damage, identify, refund, renew, rowOf } from '../support/facts'
import { isPostgresRun } from '../support/postgres'
import { moreInRelease } from '../support/release'

let s: Stage
let to: string
beforeEach(async () => {
  s = await stage()
  to = freshFolder()
})
afterEach(() => s.close())

/** What changed since the last export into the same folder. */
const next = (...args: string[]): Promise<Exported> =>
  exported(s, '--to', to, '--format', 'jsonl', '--since', 'last', ...args)

const ids = (found: Exported, table: string): string[] => jsonRows(found, table).map(({ id }) => id)
const idOf = async (device: string): Promise<string> => (await rowOf(s, device)).id

describe('an export since the last one', () => {
  test('has every row when there was none before', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    s.ctx.clock.advance(1)
    const first = await next()
    expect(first.manifest.window.from).toBeNull()
    expect(ids(first, 'purchases')).toHaveLength(1)
  })

  test('has what changed, not what did not, and begins a little before the end of the last', async () => {
    const hers = s.buy(MONTHLY)
    await s.receipt('svc_ada', hers)
    await s.receipt('svc_bo', s.buy(COINS))
    s.ctx.clock.advance(OVERLAP_MS + 1)
    const first = await next()
    s.ctx.clock.advance(HOUR)
    await s.receipt('svc_ada', refund(s, hers))
    s.ctx.clock.advance(MINUTE)
    const second = await next()
    const end = Date.parse(first.manifest.window.to)
    expect(second.manifest.window).toEqual({
      from: new Date(end - OVERLAP_MS).toISOString(),
      to: new Date(s.ctx.clock.now()).toISOString(),
    })
    const subscriber = await idOf('svc_ada')
    expect(jsonRows(second, 'purchases').map((row) => [row.subscriber_id, row.status])).toEqual([
      [subscriber, 'REFUNDED'],
    ])
    expect(jsonRows(second, 'transactions').map(({ kind }) => kind)).toEqual(['INITIAL', 'REFUND'])
    expect(ids(second, 'ledger')).toEqual([])
    expect(new Set(jsonRows(second, 'events').map((row) => row.subscriber_id))).toEqual(new Set([subscriber]))
    expect(readdirSync(to)).toHaveLength(2)
  })

  test('has a change of the very instant at which the last one ended', async () => {
    await s.get('/v1/me', 'svc_ada')
    await next()
    await identify(s, 'svc_ada', 'ada')
    s.ctx.clock.advance(HOUR)
    expect(jsonRows(await next(), 'subscribers').map((row) => row.app_user_id)).toEqual(['ada'])
  })

  test('has purchases that were moved to somebody else, with their lines', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await s.get('/v1/me', 'svc_bo')
    await next()
    s.ctx.clock.advance(HOUR)
    const body = { fromAppUserId: 'svc_ada', toAppUserId: 'svc_bo' }
    expect((await s.post('/v1/subscribers/transfer', body, { key: s.project.secretKey })).status).toBe(200)
    s.ctx.clock.advance(MINUTE)
    const second = await next()
    const bo = await idOf('svc_bo')
    for (const table of ['purchases', 'transactions'])
      expect(jsonRows(second, table).map((row) => row.subscriber_id)).toEqual([bo])
  })

  test('has purchases whose owner has another name now, and not those of others', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await s.receipt('svc_bo', s.buy(COINS))
    s.ctx.clock.advance(OVERLAP_MS + 1)
    await next()
    s.ctx.clock.advance(HOUR)
    await identify(s, 'svc_ada', 'ada')
    s.ctx.clock.advance(MINUTE)
    expect(jsonRows(await next(), 'purchases').map((row) => row.subscriberExternalId)).toEqual(['ada'])
  })

  test('has both rows of a merge, and a person who was erased', async () => {
    await s.get('/v1/me', 'svc_ada')
    await identify(s, 'svc_bo', 'bo')
    await s.get('/v1/me', 'svc_gone')
    await next()
    s.ctx.clock.advance(HOUR)
    await identify(s, 'svc_ada', 'bo')
    const now = s.ctx.clock.now()
    await damage(s, await idOf('svc_gone'), { erasedAt: now, updatedAt: now })
    s.ctx.clock.advance(MINUTE)
    const rows = jsonRows(await next(), 'subscribers')
    expect(rows).toHaveLength(3)
    expect(rows.filter((row) => row.merged_into !== null)).toHaveLength(1)
    expect(rows.filter((row) => row.erased_at !== null)).toHaveLength(1)
  })

  test('follows exports of the same place, project and tables only', async () => {
    await s.get('/v1/me', 'svc_ada')
    await next('--table', 'ledger')
    await exported(s, '--since', 'last')
    s.ctx.clock.advance(HOUR)
    expect((await next('--table', 'subscribers')).manifest.window.from).toBeNull()
    s.ctx.clock.advance(HOUR)
    expect((await next('--table', 'subscribers')).manifest.window.from).not.toBeNull()
    expect((await next()).manifest.window.from).toBeNull()
    expect((await next('--table', 'ledger')).manifest.window.from).not.toBeNull()
    expect((await next('--project', s.other.id)).manifest).toMatchObject({ window: { from: null } })
  })
})

test('an export since an instant has what changed at it or later', async () => {
  await s.get('/v1/me', 'svc_ada')
  s.ctx.clock.advance(HOUR)
  await s.get('/v1/me', 'svc_bo')
  const since = (offset: number) => new Date(s.ctx.clock.now() + offset).toISOString()
  const found = async (offset: number) =>
    ids(await exported(s, '--format', 'jsonl', '--table', 'subscribers', '--since', since(offset)), 'subscribers')
  const at = s.ctx.clock.now()
  s.ctx.clock.advance(MINUTE)
  const [ada, bo] = [await idOf('svc_ada'), await idOf('svc_bo')]
  expect(await found(at - s.ctx.clock.now())).toEqual([bo])
  expect(await found(at - s.ctx.clock.now() + 1)).toEqual([])
  expect(await found(at - s.ctx.clock.now() - HOUR)).toEqual([ada, bo])
})

test('a row that is made while the clock stands at the end of the window waits for the next export', async () => {
  await s.get('/v1/me', 'svc_ada')
  expect(ids(await next(), 'subscribers')).toEqual([])
  s.ctx.clock.advance(1)
  expect(ids(await next(), 'subscribers')).toEqual([await idOf('svc_ada')])
})

const DEVICES = ['svc_a', 'svc_b', 'svc_c']
type Deed = { kind: 'buy' | 'renew' | 'refund' | 'coins' | 'label' | 'move' | 'export' | 'wait'; who: number }

test('exports one after the other add up to an export of everything', async () => {
  const deed = fc.record<Deed>({
    kind: fc.constantFrom('buy', 'renew', 'refund', 'coins', 'label', 'move', 'export', 'wait'),
    who: fc.nat(2),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 25 }), async (deeds) => {
      const own = await stage()
      try {
        await expectSum(own, deeds)
      } finally {
        await own.close()
      }
    }),
    { numRuns: isPostgresRun() ? 3 : moreInRelease(5, 12) },
  )
}, 600_000)

async function expectSum(own: Stage, deeds: readonly Deed[]): Promise<void> {
  const place = freshFolder()
  const step = () => exported(own, '--to', place, '--format', 'jsonl', '--since', 'last')
  const bought = new Map<string, ReturnType<Stage['buy']>>()
  // biome-ignore lint/suspicious/noExplicitAny: rows of several tables.
  const kept = new Map<string, Map<string, any>>(EXPORT_TABLES.map((table) => [table, new Map()]))
  const load = (found: Exported) => {
    for (const table of EXPORT_TABLES) {
      const rows = jsonRows(found, table)
      // The lines of a purchase come together: those that are missing are gone.
      const purchases = new Set(rows.map((row) => row.purchase_id))
      if (table === 'transactions')
        for (const [id, row] of kept.get(table) ?? []) if (purchases.has(row.purchase_id)) kept.get(table)?.delete(id)
      for (const row of rows) kept.get(table)?.set(row.id, row)
    }
  }
  for (const { kind, who } of deeds) {
    const device = DEVICES[who] ?? ''
    const last = bought.get(device)
    if (kind === 'wait') own.ctx.clock.advance(40 * MINUTE * (who + 1))
    else if (kind === 'export') load(await step())
    else if (kind === 'buy' || (kind === 'renew' && last)) {
      const made = last && kind === 'renew' ? renew(own, last, MONTHLY) : own.buy(MONTHLY)
      bought.set(device, made)
      await own.receipt(device, made)
    } else if (kind === 'refund' && last) await own.receipt(device, refund(own, last))
    else if (kind === 'coins') await own.receipt(device, own.buy(COINS))
    else if (kind === 'label') await identify(own, device, `label_${who}`)
    else if (kind === 'move') {
      const body = { fromAppUserId: device, toAppUserId: DEVICES[(who + 1) % 3] }
      await own.post('/v1/subscribers/transfer', body, { key: own.project.secretKey })
    }
    own.ctx.clock.advance(1)
  }
  load(await step())
  const all = await exported(own, '--format', 'jsonl')
  for (const table of EXPORT_TABLES) {
    const sum = [...(kept.get(table)?.values() ?? [])].map(withoutVisits)
    const whole = jsonRows(all, table).map(withoutVisits)
    expect(sum.toSorted(byId)).toEqual(whole.toSorted(byId))
  }
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** The time of the last visit is written now and then, and is no change of the row. */
const withoutVisits = ({ last_seen_at: _1, lastSeenAt: _2, ...row }: { id: string } & Record<string, unknown>) => row

describe.if(isPostgresRun())('on PostgreSQL', () => {
  test('an export waits for a transaction that was writing when its window was closed', async () => {
    await s.get('/v1/me', 'svc_ada')
    s.ctx.clock.advance(HOUR)
    await next()
    const late = await writeLate('svc_late')
    s.ctx.clock.advance(HOUR) // Far beyond the overlap of two windows.
    const order: string[] = []
    const waiting = waitForOpenWrites(s.ctx).then((openForMs) => order.push(`waited, ${openForMs} ms open`))
    for (let trips = 0; trips < 50; trips++) await s.ctx.db.$count(s.ctx.tables.projects)
    const exporting = next()
    order.push('committing')
    await late.commit()
    const found = await exporting
    await waiting
    expect(order).toEqual(['committing', 'waited, 0 ms open'])
    expect(jsonRows(found, 'subscribers').map((row) => row.device_key)).toEqual(['svc_late'])
  })

  test('reads and transactions that have written nothing are not waited for', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
    const reading = s.ctx.write(async (tx) => {
      await tx.db.$count(s.ctx.tables.projects)
      open()
      await mayEnd
    })
    await isOpen
    expect(await waitForOpenWrites(s.ctx)).toBe(0)
    end()
    await reading
  })
})

/** Writes a subscriber in a transaction that stays open until it is told to commit. */
async function writeLate(device: string): Promise<{ commit(): Promise<void> }> {
  const row = await rowOf(s, 'svc_ada')
  const now = s.ctx.clock.now()
  const { promise: mayCommit, resolve } = Promise.withResolvers<void>()
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  const writing = s.ctx.write(async (tx) => {
    const made = { ...row, id: tx.ids.next('sub'), deviceKey: device, createdAt: now, updatedAt: now }
    await tx.db.insert(s.ctx.tables.subscribers).values(made)
    await tx.db.$count(s.ctx.tables.projects) // An insert is sent without waiting for it; an answer means that it is done.
    written()
    await mayCommit
  })
  await isWritten
  const commit = () => {
    resolve()
    return writing
  }
  return { commit }
}
