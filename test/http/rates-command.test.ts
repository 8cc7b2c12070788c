import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { PLATFORM_CHAIN } from '../../src/projects/audit/platform'
import { ratesCommand } from '../../src/projects/exchange-rates/command'
import { fetchRates } from '../../src/projects/exchange-rates/fetch'
import { type Stage, stage } from '../support/cast'
import { bankXml, type CentralBank, centralBank } from '../support/central-bank'
import { type Ran, runBeside } from '../support/command'
import { DAYS, dollars, inCurrency, runJobs } from '../support/rates'

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

const folder = mkdtempSync(join(tmpdir(), 'svc-rates-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HEAD = 'date,currency,usd_per_unit\n'

async function load(text: string | Uint8Array, ...more: string[]): Promise<Ran> {
  const path = join(folder, 'rates.csv')
  writeFileSync(path, text)
  return runBeside(s, ratesCommand, 'load', path, ...more)
}

const toUsd = async (currency: string, date: string) =>
  (await s.ctx.state.exchangeRates.current(s.ctx)).toUsd(1_000_000, currency, Date.parse(date) / DAY)
const auditRows = () => {
  const { auditLog } = s.ctx.tables
  return s.ctx.db.select().from(auditLog).where(eq(auditLog.projectId, PLATFORM_CHAIN))
}
const stored = () => s.ctx.db.select().from(s.ctx.tables.exchangeRates)

describe('svc rates load', () => {
  test('says how many rates are new, changed and equal; the audit log has who and what', async () => {
    const first = await load(`${HEAD}2026-10-31,AED,0.2723\n2026-10-31,EGP,0.0211\n`)
    expect([first.code, first.out]).toEqual([0, '2 new, 0 changed, 0 equal.'])
    const next = await load(`${HEAD}2026-10-31,AED,0.27230\n2026-10-31,EGP,0.0212\n2026-11-18,EGP,0.022\n`, '--json')
    expect([next.code, JSON.parse(next.out)]).toEqual([0, { new: 1, changed: 1, equal: 1 }])
    expect(await auditRows()).toMatchObject([
      { action: 'exchange_rates.load', actor: { kind: 'CLI' }, before: null, after: { file: 'rates.csv', added: 2 } },
      {
        before: { rates: [{ date: '2026-10-31', currency: 'EGP', rate: '0.0211' }] },
        after: { added: 1, corrected: 1, equal: 1, rates: [{ date: '2026-10-31', currency: 'EGP', rate: '0.0212' }] },
      },
    ])
    expect([
      await toUsd('AED', '2026-11-20'),
      await toUsd('EGP', '2026-11-17'),
      await toUsd('EGP', '2026-11-20'),
    ]).toEqual([272_300, 21_200, 22_000])
  })

  test('the same file again changes nothing, and nothing is written', async () => {
    await load(`${HEAD}2026-10-31,AED,0.2723\n`)
    const before = [await auditRows(), await stored()]
    const again = await load(`${HEAD}2026-10-31,AED,0.2723\n`)
    expect([again.code, again.out]).toEqual([0, '0 new, 0 changed, 1 equal.'])
    expect([await auditRows(), await stored()]).toEqual(before)
  })

  test("the central bank's file is taken as well, and loaded rates win over fetched ones, whichever came first", async () => {
    await fetchRates(s.ctx)
    expect(await toUsd('EUR', '2026-11-18')).toBe(1_085_200)
    const loaded = await load(bankXml({ '2026-11-18': { USD: '1.5', JPY: '150' } }))
    expect([loaded.code, loaded.out]).toEqual([0, '2 new, 0 changed, 0 equal.'])
    s.ctx.clock.advance(4 * DAY)
    bank.rates['2026-11-18'] = { USD: '1.2', JPY: '150', TRY: '45' }
    await fetchRates(s.ctx)
    expect([await toUsd('EUR', '2026-11-18'), await toUsd('JPY', '2026-11-18')]).toEqual([1_500_000, 10_000])
    expect(await toUsd('EUR', '2026-11-19')).toBe(1_087_000)
  })

  const refused: [name: string, text: string | Uint8Array, says: string][] = [
    ['an empty file', '', 'line 1: the header must be'],
    ['one line that is wrong', `${HEAD}2026-10-31,AED,0.2723\n2026-10-31,EGP,0\n`, 'line 3: usd_per_unit is "0"'],
    ['a day in the future', `${HEAD}2026-11-21,AED,0.2723\n`, 'line 2: 2026-11-21 is in the future'],
    ['units per dollar', `${HEAD}2026-11-18,JPY,149.3\n`, 'state dollars per unit'],
    ['half of a file of the bank', bankXml(DAYS).slice(0, 500), 'Nothing was loaded.'],
    ['no text', new Uint8Array([0xff, 0xfe, 0x00, 0x01]), 'it is no text in UTF-8'],
  ]
  for (const [name, text, says] of refused)
    test(`refused as a whole: ${name}`, async () => {
      await fetchRates(s.ctx)
      const before = await stored()
      const { code, err } = await load(text)
      expect([code, err]).toEqual([1, expect.stringContaining(says)])
      expect([await stored(), await auditRows()]).toEqual([before, []])
      const json = JSON.parse((await load(text, '--json')).out)
      expect(json.error).toEqual({ code: 'VALIDATION_ERROR', message: err })
    })

  test('a file that is not there, and wrong usage', async () => {
    const gone = await runBeside(s, ratesCommand, 'load', join(folder, 'gone.csv'))
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('cannot be read')])
    const dir = await runBeside(s, ratesCommand, 'load', folder)
    expect(dir.code).toBe(1)
    for (const args of [[], ['load'], ['load', 'a', 'b'], ['status', 'x'], ['fetch']])
      expect((await runBeside(s, ratesCommand, ...args)).code).toBe(2)
  })

  test('transactions that waited get their dollars from the running server', async () => {
    await s.receipt('svc_ada', s.buy(inCurrency('AED')))
    await load(`${HEAD}2026-10-31,AED,0.2723\n`)
    expect((await dollars(s)).map(([, , usd]) => usd)).toEqual([null])
    s.ctx.clock.advance(MINUTE)
    await runJobs(s.ctx)
    expect((await dollars(s)).map(([, , usd]) => usd)).toEqual([2_720_277])
  })
})

describe('svc rates status', () => {
  const status = async () => JSON.parse((await runBeside(s, ratesCommand, 'status', '--json')).out)

  test('without any rate', async () => {
    expect(await status()).toEqual({
      ...{ url: bank.url, newest: null, isStale: false, fetch: null, sources: [], currencies: [], gaps: [] },
      ...{ updates: [], waiting: [], conversions: [] },
    })
    const { code, out } = await runBeside(s, ratesCommand, 'status')
    expect([code, out]).toEqual([0, expect.stringMatching(/newest rate +none/)])
  })

  test('what is known, from where, what is missing, what waits, and what the last runs changed', async () => {
    bank.rates['2026-11-02'] = { USD: '1.08', JPY: '160', HRK: '7.5' }
    await s.receipt('svc_ada', s.buy(inCurrency('EUR')))
    await s.receipt('svc_bo', s.buy(inCurrency('EGP')))
    await fetchRates(s.ctx)
    await load(`${HEAD}2026-10-31,AED,0.2723\n`)
    s.ctx.clock.advance(MINUTE)
    await runJobs(s.ctx)
    const found = await status()
    expect(found).toMatchObject({
      ...{ url: bank.url, newest: '2026-11-19', isStale: false },
      fetch: { triedAt: '2026-11-20T08:00:00.000Z', fault: null },
      sources: [
        { source: 'LOADED', first: '2026-10-31', newest: '2026-10-31', days: 1 },
        { source: 'ECB', first: '2026-11-02', newest: '2026-11-19', days: 5 },
      ],
      gaps: [{ after: '2026-11-02', before: '2026-11-16', weekdays: 9 }],
      updates: [
        { source: 'LOADED', added: 1, corrected: 0 },
        { source: 'ECB', added: 15, firstDay: '2026-11-02', lastDay: '2026-11-19' },
      ],
      waiting: [{ currency: 'EGP', transactions: 1 }],
      conversions: [{ changed: 0 }, { state: 'DONE', changed: 1 }],
    })
    expect(found.currencies).toContainEqual({
      ...{ currency: 'HRK', source: 'ECB' },
      first: '2026-11-02',
      newest: '2026-11-02',
    })
    s.ctx.clock.advance(30 * DAY)
    const { out } = await runBeside(s, ratesCommand, 'status')
    for (const text of ['2026-11-19 (more than 72 hours old)', 'EGP', '1 transactions', '10859130'])
      expect(out).toContain(text)
  })

  test('why the last fetch failed', async () => {
    bank.answer = () => new Response('no', { status: 503 })
    await fetchRates(s.ctx)
    expect((await status()).fetch).toEqual({
      triedAt: '2026-11-20T08:00:00.000Z',
      succeededAt: null,
      fault: 'the server answers 503',
    })
    expect((await runBeside(s, ratesCommand, 'status')).out).toContain('failed: the server answers 503')
  })
})
