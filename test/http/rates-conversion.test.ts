import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { enqueue } from '../../src/base/jobs/queue'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { convertWaiting } from '../../src/people/conversions/convert'
import { convertJob } from '../../src/people/conversions/jobs'
import { fetchRates } from '../../src/projects/exchange-rates/fetch'
import { rateStatus } from '../../src/projects/exchange-rates/status'
import { type Stage, stage } from '../support/cast'
import { type CentralBank, centralBank } from '../support/central-bank'
import { refund, renew, rowOf } from '../support/facts'
import { DAYS, dollars, inCurrency, loadCsv, runJobs } from '../support/rates'

let bank: CentralBank
let s: Stage
beforeEach(async () => {
  bank = centralBank(structuredClone(DAYS))
  s = await stage({ env: { SVC_FX_URL: bank.url } })
})
afterEach(async () => {
  await s.close()
  await bank.stop()
})

const status = async () => {
  const { config, hooks, clock, state } = s.ctx
  return rateStatus(s.ctx, { config, hooks, now: clock.now(), table: await state.exchangeRates.current(s.ctx) })
}

/** A fetch, and the jobs that follow from it once running transactions have ended. */
async function fetchAndConvert(): Promise<void> {
  await fetchRates(s.ctx)
  s.ctx.clock.advance(MINUTE)
  await runJobs(s.ctx)
}

describe('when a transaction is recorded', () => {
  test('its dollars are there at once, in the row, in the event and for operators', async () => {
    await fetchRates(s.ctx)
    await s.receipt('svc_ada', s.buy(inCurrency('EUR')))
    expect(await dollars(s)).toEqual([['INITIAL', 9_990_000, 10_859_130]]) // 1.0870, of Thursday.
    const { id } = await rowOf(s, 'svc_ada')
    expect((await s.events(id))[0]?.data.transaction).toMatchObject({ usdMicros: 10_859_130 })
  })

  test('a currency that nobody knows has none, and is counted', async () => {
    await fetchRates(s.ctx)
    await s.receipt('svc_ada', s.buy(inCurrency('AED')))
    expect([await dollars(s), (await status()).waiting]).toEqual([
      [['INITIAL', 9_990_000, null]],
      [{ currency: 'AED', transactions: 1 }],
    ])
  })

  test('a full refund makes the sum zero, also by another rate on its day', async () => {
    await fetchRates(s.ctx)
    const bought = s.buy(inCurrency('JPY', 1_500_000))
    await s.receipt('svc_ada', bought)
    s.ctx.clock.set(Date.UTC(2026, 10, 20, 16))
    bank.rates['2026-11-20'] = { USD: '1.2', JPY: '100', TRY: '45' }
    await fetchRates(s.ctx)
    await s.receipt('svc_ada', refund(s, bought))
    const before = await dollars(s)
    expect(before.map(([kind, amount]) => [kind, amount])).toEqual([
      ['INITIAL', 1_500_000_000],
      ['REFUND', -1_500_000_000],
    ])
    expect(before[0]?.[2]).toBe(-(before[1]?.[2] ?? 0))
    // The charge is of the day whose rate has just arrived, so both lines change, together.
    s.ctx.clock.advance(MINUTE)
    await runJobs(s.ctx)
    const after = await dollars(s)
    expect(after.map(([, , usd]) => usd)).toEqual([18_000_000, -18_000_000])
  })

  test('a rate that another process has just saved is used', async () => {
    await fetchRates(s.ctx)
    await s.receipt('svc_ada', s.buy(inCurrency('AED')))
    const beside = await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log })
    await loadCsv(beside, '2026-11-20,AED,0.2723')
    await beside.close()
    await s.receipt('svc_bo', s.buy(inCurrency('AED')))
    expect((await dollars(s)).map(([, , usd]) => usd).sort()).toEqual([2_720_277, null])
  })

  test('rates of a transaction that was rolled back are forgotten', async () => {
    await fetchRates(s.ctx)
    const failed = s.ctx.write(async (tx) => {
      await tx.db.update(tx.tables.exchangeRates).set({ rates: '{"USD":"9"}' })
      const { rateUpdates: u } = tx.tables
      const [row] = await tx.db.select().from(u)
      if (!row) throw new Error('no update')
      const { position: _, ...rest } = row
      const [next] = await tx.db
        .insert(u)
        .values({ ...rest, id: 'fxu_never' })
        .returning()
      await tx.db.update(tx.tables.exchangeRates).set({ revision: next?.position ?? 0 })
      const table = await tx.state.exchangeRates.current(tx)
      expect(table.toUsd(1_000_000, 'EUR', 30_000)).toBe(9_000_000)
      throw new Error('on purpose')
    })
    await expect(failed).rejects.toThrow()
    const table = await s.ctx.state.exchangeRates.current(s.ctx)
    expect(table.toUsd(1_000_000, 'EUR', 30_000)).toBe(1_087_000)
  })

  test('the rates arrive in the middle of a subscription: earlier charges wait for their own correction', async () => {
    const bought = s.buy(inCurrency('EUR'))
    await s.receipt('svc_ada', bought)
    s.ctx.clock.set((bought.expiresDate ?? 0) + 1)
    bank.rates['2026-12-18'] = { USD: '1.1', JPY: '160', TRY: '45' }
    await fetchRates(s.ctx)
    await s.receipt('svc_ada', renew(s, bought, inCurrency('EUR')))
    expect((await dollars(s)).map(([, , usd]) => usd)).toEqual([null, 10_989_000])
    s.ctx.clock.advance(MINUTE)
    await runJobs(s.ctx)
    expect((await dollars(s)).map(([, , usd]) => usd)).toEqual([10_859_130, 10_989_000])
  })
})

describe('when a rate arrives later', () => {
  test('transactions that waited are completed, and the run says what changed', async () => {
    await s.receipt('svc_ada', s.buy(inCurrency('EUR')))
    await s.receipt('svc_bo', s.buy(inCurrency('USD')))
    await s.receipt('svc_cy', s.buy(inCurrency('AED')))
    expect((await dollars(s)).filter(([, , usd]) => usd === null).length).toBe(2)
    await fetchAndConvert()
    expect((await dollars(s)).map(([, , usd]) => usd).sort()).toEqual([10_859_130, 9_990_000, null])
    const { conversions, waiting } = await status()
    expect(waiting).toEqual([{ currency: 'AED', transactions: 1 }])
    expect(conversions).toMatchObject([
      {
        ...{ state: 'DONE', from: '2026-11-16', checked: 1, changed: 1 },
        currencies: [
          {
            ...{ currency: 'EUR', changed: 1, completed: 1, firstDay: '2026-11-20', lastDay: '2026-11-20' },
            ...{ usdMicrosBefore: '0', usdMicrosAfter: '10859130' },
          },
        ],
      },
    ])
    expect(s.ctx.lines.filter((line) => line.includes('were converted')).length).toBe(1)
  })

  test('an amount by the rate of an earlier day is corrected when the rate of its own day arrives', async () => {
    await fetchAndConvert()
    const bought = s.buy(inCurrency('EUR'))
    await s.receipt('svc_ada', bought)
    s.ctx.clock.set(Date.UTC(2026, 10, 20, 16))
    await s.receipt('svc_ada', refund(s, bought))
    bank.rates['2026-11-20'] = { USD: '1.1', JPY: '160', TRY: '45' }
    await fetchAndConvert()
    expect((await dollars(s)).map(([, , usd]) => usd)).toEqual([10_989_000, -10_989_000])
    const [newest] = (await status()).conversions
    expect(newest).toMatchObject({
      ...{ from: '2026-11-20', checked: 2, changed: 2 },
      currencies: [{ currency: 'EUR', completed: 0, usdMicrosBefore: '0', usdMicrosAfter: '0' }],
    })
  })

  test('a refund of a later month changes with the charge that it gives back', async () => {
    const bought = s.buy(inCurrency('AED'))
    await s.receipt('svc_ada', bought)
    s.ctx.clock.advance(10 * DAY)
    await s.receipt('svc_ada', refund(s, bought))
    await loadCsv(s.ctx, '2026-11-20,AED,0.2723', '2026-11-30,AED,0.5')
    s.ctx.clock.advance(MINUTE)
    await runJobs(s.ctx)
    expect((await dollars(s)).map(([, , usd]) => usd)).toEqual([2_720_277, -2_720_277])
  })

  test('earlier days keep their amounts', async () => {
    await fetchAndConvert()
    await s.receipt('svc_ada', s.buy(inCurrency('EUR')))
    s.ctx.clock.advance(3 * DAY)
    await loadCsv(s.ctx, '2026-11-21,EUR,2')
    s.ctx.clock.advance(MINUTE)
    await runJobs(s.ctx)
    expect(await dollars(s)).toEqual([['INITIAL', 9_990_000, 10_859_130]])
    expect((await status()).conversions[0]).toMatchObject({ state: 'DONE', checked: 0, changed: 0, currencies: [] })
  })

  test('many of them, over two projects, in batches; a stop in the middle loses and repeats nothing', async () => {
    await s.receipt('svc_ada', s.buy(inCurrency('EUR')))
    await copyLines(s, 450)
    await fetchRates(s.ctx)
    let batches = 0
    await convertWaiting(s.ctx, () => ++batches > 2)
    const before = await unconverted()
    expect(before > 0 && before < 451).toBe(true)
    expect((await status()).conversions[0]?.state).toBe('WAITING')
    s.ctx.clock.advance(MINUTE)
    await runJobs(s.ctx)
    expect([await unconverted(), (await status()).conversions[0]]).toMatchObject([
      0,
      {
        ...{ state: 'DONE', checked: 451, changed: 451 },
        currencies: [{ changed: 451, usdMicrosBefore: '0', usdMicrosAfter: String(451 * 10_859_130) }],
      },
    ])
    await s.ctx.write((tx) => enqueue(tx, convertJob, {}))
    await runJobs(s.ctx)
    expect((await status()).conversions.map(({ changed }) => changed)).toEqual([451])
  })

  test('two processes that convert at once count each transaction once', async () => {
    await s.receipt('svc_ada', s.buy(inCurrency('EUR')))
    await copyLines(s, 250)
    await fetchRates(s.ctx)
    const beside = await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log })
    await Promise.all([convertWaiting(s.ctx, () => false), convertWaiting(beside, () => false)])
    await beside.close()
    const [run] = (await status()).conversions
    expect([await unconverted(), run?.state, run?.checked, run?.changed]).toEqual([0, 'DONE', 251, 251])
  })
})

const unconverted = async (): Promise<number> => (await dollars(s)).filter(([, , usd]) => usd === null).length

/** More lines like the one that is there, half of them in the other project: many receipts would take long. */
async function copyLines({ ctx, other }: Stage, count: number): Promise<void> {
  const { transactions: t } = ctx.tables
  const [line] = await ctx.db.select().from(t).where(eq(t.currency, 'EUR'))
  if (!line) throw new Error('no line')
  const rows = Array.from({ length: count }, (_, index) => ({
    ...line,
    id: `txn_copy${index}`,
    projectId: index % 2 === 0 ? line.projectId : other.id,
    revenueKey: `IOS_STORE:copy${index}:CHARGE`,
    storeTransactionId: `copy${index}`,
  }))
  await ctx.write(async (tx) => void (await tx.db.insert(t).values(rows)))
}
