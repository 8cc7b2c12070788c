import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { startBackground } from '../../src/background'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { PLATFORM_CHAIN } from '../../src/projects/audit/platform'
import { toDate } from '../../src/projects/exchange-rates/day'
import { fetchRates } from '../../src/projects/exchange-rates/fetch'
import { type Stage, stage } from '../support/cast'
import { bankXml, type CentralBank, centralBank } from '../support/central-bank'
import { DAYS, dollars, inCurrency, loadCsv } from '../support/rates'

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

const FRIDAY = { USD: '1.0900', JPY: '163.00', TRY: '45.5' }
/** Friday, after the bank has published. */
const PUBLISHED = Date.UTC(2026, 10, 20, 16, 0, 0)

const savedDays = async (): Promise<string[]> => {
  const { exchangeRates: r } = s.ctx.tables
  return (await s.ctx.db.select().from(r).where(eq(r.source, 'ECB'))).map(({ day }) => toDate(day)).sort()
}
const lineWith = (text: string) => s.ctx.lines.filter((line) => line.includes(text))
const auditRows = () => {
  const { auditLog } = s.ctx.tables
  return s.ctx.db.select().from(auditLog).where(eq(auditLog.projectId, PLATFORM_CHAIN))
}
const ready = async () => {
  const { status, body } = await s.call('GET', '/health/ready', { key: null })
  return [status, body.status, body.checks.fx]
}
/** What an amount in yen is now, in dollars; null without a rate. */
const yen = async (date: string) =>
  (await s.ctx.state.exchangeRates.current(s.ctx)).toUsd(1_000_000, 'JPY', Date.parse(date) / DAY)

test('the first start fetches the whole history, then one day at a time, and asks no more often than that', async () => {
  await fetchRates(s.ctx)
  await fetchRates(s.ctx)
  expect([bank.asked, await savedDays()]).toEqual([['eurofxref-hist.xml'], Object.keys(DAYS)])
  s.ctx.clock.set(PUBLISHED)
  bank.rates['2026-11-20'] = FRIDAY
  await fetchRates(s.ctx)
  s.ctx.clock.advance(DAY)
  await fetchRates(s.ctx)
  expect(bank.asked).toEqual(['eurofxref-hist.xml', 'eurofxref-daily.xml'])
  expect(await savedDays()).toEqual([...Object.keys(DAYS), '2026-11-20'])
  expect(await yen('2026-11-18')).toBe(6698)
  // New days are no change that somebody made.
  expect([await auditRows(), lineWith('exchange rates were fetched').length]).toEqual([[], 2])
})

test('an outage of some days is closed by the file of 90 days, a long one by the whole history', async () => {
  bank.rates = { '2026-11-12': { USD: '1.08', JPY: '160' } }
  s.ctx.clock.set(Date.UTC(2026, 10, 13, 8))
  await fetchRates(s.ctx)
  s.ctx.clock.set(PUBLISHED)
  bank.rates = { ...bank.rates, '2026-11-13': { USD: '1.08', JPY: '160' }, ...structuredClone(DAYS) }
  await fetchRates(s.ctx)
  expect(bank.asked).toEqual(['eurofxref-hist.xml', 'eurofxref-hist-90d.xml'])
  expect((await savedDays()).slice(0, 2)).toEqual(['2026-11-12', '2026-11-13'])
  s.ctx.clock.advance(100 * DAY)
  await fetchRates(s.ctx)
  expect(bank.asked.at(-1)).toBe('eurofxref-hist.xml')
})

test('on a holiday of the banks it asks again later, and not every hour', async () => {
  await fetchRates(s.ctx)
  s.ctx.clock.set(PUBLISHED)
  for (let hour = 0; hour < 5; hour++) {
    await fetchRates(s.ctx)
    s.ctx.clock.advance(HOUR)
  }
  expect(bank.asked.length).toBe(2)
  await fetchRates(s.ctx)
  expect([bank.asked.length, lineWith('could not be fetched')]).toEqual([3, []])
})

test('one address of a file is always that file', async () => {
  const own = await stage({ env: { SVC_FX_URL: `${bank.url}/eurofxref-hist-90d.xml` } })
  await fetchRates(own.ctx)
  expect(bank.asked).toEqual(['eurofxref-hist-90d.xml'])
  await own.close()
})

test('off: nothing is asked, whatever the time', async () => {
  const own = await stage({ env: { SVC_FX_URL: 'off' } })
  await fetchRates(own.ctx)
  expect([bank.asked, own.ctx.lines]).toEqual([[], []])
  await own.close()
})

test('a rate that was saved changes only with both rates in the audit log', async () => {
  await fetchRates(s.ctx)
  s.ctx.clock.advance(4 * DAY)
  bank.rates['2026-11-18'] = { USD: '1.0852', JPY: '162.04', TRY: '45.3' }
  await fetchRates(s.ctx)
  expect(bank.asked.at(-1)).toBe('eurofxref-hist-90d.xml')
  expect(await auditRows()).toMatchObject([
    {
      action: 'exchange_rates.correct',
      actor: { kind: 'SERVER' },
      before: { rates: [{ date: '2026-11-18', currency: 'JPY', rate: '162.03' }] },
      after: {
        source: 'ECB',
        added: 0,
        corrected: 1,
        equal: 11,
        rates: [{ date: '2026-11-18', currency: 'JPY', rate: '162.04' }],
      },
    },
  ])
  expect([await yen('2026-11-18'), lineWith('have changed').length]).toEqual([6697, 1])
})

test('a rate that is no longer published stays', async () => {
  await fetchRates(s.ctx)
  s.ctx.clock.advance(4 * DAY)
  bank.rates['2026-11-18'] = { USD: '1.0852' }
  await fetchRates(s.ctx)
  expect([await yen('2026-11-18'), await auditRows()]).toEqual([6698, []])
})

describe('what cannot be right changes nothing, and is logged once', () => {
  const whole = bankXml(DAYS)
  const text = (body: string) => () => new Response(body, { headers: { 'content-type': 'text/xml' } })
  const cases: [name: string, answer: () => Response | Promise<Response>, says: string][] = [
    ['an error', () => new Response('no', { status: 503 }), 'the server answers 503'],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/x', 302), 'the server answers 302'],
    ['a page for people', text('<html></html>'), 'the file is refused: line 1'],
    ['a file that is cut', text(whole.slice(0, -30)), 'it is not whole'],
    ['a rate of zero', text(whole.replace('162.03', '0')), 'the rate of JPY is \\"0\\"'],
    ['an absurd rate', text(whole.replace('162.03', '1.6203')), 'state dollars per unit'],
    ['a day in the future', text(whole.replace('2026-11-19', '2026-11-21')), '2026-11-21 is in the future'],
    ['bytes that are no text', () => new Response(new Uint8Array([0xff, 0xfe, 0x00])), 'no text in UTF-8'],
  ]
  for (const [name, answer, says] of cases)
    test(name, async () => {
      bank.answer = answer
      await fetchRates(s.ctx)
      expect([await savedDays(), lineWith('could not be fetched').length]).toEqual([[], 1])
      expect(lineWith('could not be fetched')[0]).toContain(says)
      s.ctx.clock.advance(HOUR)
      await fetchRates(s.ctx)
      expect([lineWith('could not be fetched').length, bank.asked.length]).toEqual([1, 2])
      bank.answer = null
      s.ctx.clock.advance(HOUR)
      await fetchRates(s.ctx)
      expect((await savedDays()).length).toBe(4)
    })

  test('without internet nothing is slow, and one line says so', async () => {
    const gone = centralBank()
    const own = await stage({ env: { SVC_FX_URL: gone.url } })
    await gone.stop()
    for (let hour = 0; hour < 3; hour++) {
      await fetchRates(own.ctx)
      own.ctx.clock.advance(HOUR)
    }
    expect(own.ctx.lines).toEqual([expect.stringContaining('the server cannot be reached')])
    await own.close()
  })

  test('an address on a private network is not called', async () => {
    const own = await stage({ env: { SVC_FX_URL: 'https://10.0.0.1/stats' } })
    await fetchRates(own.ctx)
    expect(own.ctx.lines.join()).toContain('must not lead to a private network')
    await own.close()
  })

  test('saved rates are not lost by a later fault', async () => {
    await fetchRates(s.ctx)
    s.ctx.clock.set(PUBLISHED)
    bank.answer = text(whole.replace('1.0852', 'x'))
    await fetchRates(s.ctx)
    expect([await savedDays(), await yen('2026-11-18')]).toEqual([Object.keys(DAYS), 6698])
  })
})

test('a server fetches when it starts, without being asked to, and converts what waited', async () => {
  await s.receipt('svc_ada', s.buy(inCurrency('EUR')))
  const background = startBackground(s.ctx)
  const isSaved = async () => (await savedDays()).length === 4
  while (!(await isSaved())) await Bun.sleep(5)
  s.ctx.clock.advance(MINUTE)
  s.ctx.wakeWorker()
  while ((await dollars(s))[0]?.[2] === null) await Bun.sleep(5)
  await background.stop()
  expect([await dollars(s), bank.asked]).toEqual([[['INITIAL', 9_990_000, 10_859_130]], ['eurofxref-hist.xml']])
})

describe('readiness', () => {
  test('without any rate none is old', async () => {
    expect(await ready()).toEqual([200, 'ok', 'ok'])
    s.ctx.clock.advance(100 * DAY)
    bank.answer = () => new Response('no', { status: 503 })
    await fetchRates(s.ctx)
    expect(await ready()).toEqual([200, 'ok', 'ok'])
  })

  test('older than 72 hours is degraded and still answers 200; fresh rates end it', async () => {
    await fetchRates(s.ctx)
    expect(await ready()).toEqual([200, 'ok', 'ok'])
    s.ctx.clock.set(Date.UTC(2026, 10, 23))
    expect(await ready()).toEqual([200, 'ok', 'ok'])
    s.ctx.clock.advance(1)
    expect(await ready()).toEqual([200, 'degraded', 'degraded'])
    bank.rates['2026-11-20'] = FRIDAY
    await fetchRates(s.ctx)
    expect(await ready()).toEqual([200, 'ok', 'ok'])
  })

  test('loaded rates count as well, also when nothing is fetched', async () => {
    const own = await stage({ env: { SVC_FX_URL: 'off' } })
    const fx = async () => (await own.call('GET', '/health/ready', { key: null })).body.checks.fx
    await loadCsv(own.ctx, '2026-11-20,AED,0.2723')
    expect(await fx()).toBe('ok')
    own.ctx.clock.set(Date.UTC(2026, 10, 24, 0, 0, 1))
    expect(await fx()).toBe('degraded')
    await own.close()
  })
})
