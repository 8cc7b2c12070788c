import { expect, test } from 'bun:test'
import { CHARTS } from '../../src/insight/charts/charts'
import { type Stage, stage } from '../support/cast'
import { isoOf } from '../support/figures/history'
import { allFigures } from '../support/figures/oracle'
import { EARLIEST, historyOf, ZONES } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { type StaffCalls, staff } from '../support/staff'

// What a chart answered at an instant is what it answers later, as it was known at that instant.

const SEEDS = (process.env.CHART_KNOWN_SEEDS ?? '21,22,23').split(',').map(Number)
const KNOWN = CHARTS.filter(({ filters }) => filters.includes('knownAt')).map(({ id }) => id)
const DAY = 86_400_000

/** The limit of calls a minute is not what is tested here, and the clock must stand. */
async function ask(member: StaffCalls, query: string) {
  const answers: Record<string, unknown> = {}
  for (const id of KNOWN) {
    const { status, body } = await member.get(`/charts/${id}?${query}`)
    expect([id, status]).toEqual([id, 200])
    answers[id] = body.data
  }
  return answers
}

async function rowsOf(member: StaffCalls, id: string, query: string) {
  const { status, body } = await member.get(`/charts/${id}/rows?${query}&limit=200`)
  expect([id, status]).toEqual([id, 200])
  return body.data.items
}

async function withStage(run: (s: Stage) => Promise<void>) {
  const s = await stage({ now: EARLIEST })
  try {
    await run(s)
  } finally {
    await s.close()
  }
}

for (const seed of SEEDS)
  test(`what was answered is what was known, seed ${seed}`, () =>
    withStage(async (s) => {
      const timezone = ZONES[seed % ZONES.length] ?? 'UTC'
      const history = { ...historyOf(seed, { min: 20, max: 30 }), rates: [], timezone }
      const recorded = history.purchases
        .flatMap((p) => p.observations.map((o) => o.recordedAt))
        .toSorted((a, b) => a - b)
      const at = recorded[Math.floor(recorded.length / 2)] ?? EARLIEST
      const member = staff(s).as('CUSTOMER_SUPPORT')
      const from = `from=${isoOf(at - 200 * DAY)}&grain=month`
      const rowQuery = `start=${isoOf(at - 200 * DAY)}&grain=total`
      let then: Record<string, unknown> = {}
      let rows: unknown[] = []
      const run = async () => {
        then = await ask(member, from)
        rows = await rowsOf(member, 'transactions', rowQuery)
      }
      await seedHistory(s, history, { together: 20, pause: { at, run } })
      s.ctx.clock.advance(DAY)
      const known = `knownAt=${isoOf(at)}`
      expect(await ask(member, `${from}&${known}`)).toEqual(then)
      expect(await rowsOf(member, 'transactions', `${rowQuery}&${known}`)).toEqual(rows)
      expect(rows.length).toBeGreaterThan(0)
      const asked = { from: at - 200 * DAY, to: at, grain: 'month', now: at, knownAt: at + 1 } as const
      const { cells } = allFigures(history, asked).revenue
      const revenue = then.revenue as { series: { start: string; values: object }[] }
      const numbers = (values: object) => Object.fromEntries(Object.entries(values).map(([k, v]) => [k, Number(v)]))
      expect(revenue.series).toEqual(cells.map(({ start, values }) => ({ start, values: numbers(values) })))
      // Something else is known by now, else this shows nothing.
      s.ctx.clock.advance(DAY)
      expect(await ask(member, `${from}&to=${isoOf(at)}`)).not.toEqual(then)
    }))

test('a date counts with the whole of its day in the time zone of the project', () =>
  withStage(async (s) => {
    const history = { ...historyOf(31, { min: 20, max: 30 }), rates: [], timezone: 'Asia/Kathmandu' }
    await seedHistory(s, history, { together: 20 })
    const member = staff(s).as('CUSTOMER_SUPPORT')
    const known = (text: string) =>
      member.get(`/charts/transactions?from=2023-11-01&to=2026-01-01&grain=total&knownAt=${text}`)
    // 18:15 in UTC is midnight in Kathmandu.
    for (const day of [10, 40, 70, 100, 130, 160, 190]) {
      const date = isoOf(Date.UTC(2024, 0, day)).slice(0, 10)
      const whole = await known(date)
      expect(whole.status).toBe(200)
      expect(whole.body).toEqual((await known(`${date}T18:14:59.999Z`)).body)
    }
  }))
