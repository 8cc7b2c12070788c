import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { packagedRates, savePackagedRates } from '../../src/projects/exchange-rates/packaged'
import { work } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { type CentralBank, centralBank } from '../support/central-bank'
import { DAYS, inCurrency, loadCsv } from '../support/rates'

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

const dirhams = async (date: string) =>
  (await s.ctx.state.exchangeRates.current(s.ctx)).toUsd(3_672_500, 'AED', Date.parse(date) / DAY)
const updates = () => s.ctx.db.$count(s.ctx.tables.rateUpdates)

test('the executable has rates of one day a month for the currencies that the central bank does not quote', () => {
  const days = packagedRates().map(({ day }) => day)
  expect(days).toEqual(days.toSorted((a, b) => a - b))
  for (const [index, day] of days.entries()) expect(day - (days[index - 1] ?? day)).toBeLessThan(62)
  for (const { rates } of packagedRates()) {
    expect(Object.keys(rates)).toEqual(expect.arrayContaining(['AED', 'CLP', 'COP', 'EGP', 'SAR', 'TWD', 'UAH', 'VND']))
    for (const currency of ['EUR', 'USD', 'JPY', 'TRY', 'BTC']) expect(rates).not.toHaveProperty(currency)
    for (const rate of Object.values(rates)) expect(rate).toMatch(/^1(\/\d+(\.\d+)?)?$/)
  }
})

test('a server saves them at its first start, and no other time', async () => {
  expect(await dirhams('2026-11-20')).toBeNull()
  await work(s)
  expect(await dirhams('2026-11-20')).toBe(1_000_000)
  expect(await dirhams('2024-12-30')).toBeNull()
  const before = await updates()
  await savePackagedRates(s.ctx)
  expect(await updates()).toBe(before)
})

test('a transaction in such a currency has its amount in dollars, and a loaded rate wins', async () => {
  await work(s)
  await s.receipt('svc_ada', s.buy(inCurrency('AED', 36_725)))
  const amounts = async () =>
    (await s.ctx.db.select().from(s.ctx.tables.transactions)).map(({ usdMicros }) => usdMicros)
  expect(await amounts()).toEqual([10_000_000])
  await loadCsv(s.ctx, '2026-11-19,AED,0.3')
  s.ctx.clock.advance(MINUTE)
  await work(s)
  expect(await amounts()).toEqual([11_017_500])
})

test('they count neither as recent rates nor as ended ones', async () => {
  await savePackagedRates(s.ctx)
  const { body } = await s.call('GET', '/health/ready', { key: null })
  expect(body.checks.fx).not.toBe('degraded')
})

test('a server that shall fetch none has none but those of files', async () => {
  const own = await stage()
  try {
    await savePackagedRates(own.ctx)
    await work(own)
    expect(await own.ctx.db.$count(own.ctx.tables.exchangeRates)).toBe(0)
  } finally {
    await own.close()
  }
})
