import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import type { Staff } from '../support/staff'
import { staff } from '../support/staff'
import { isoOf } from '../support/figures/history'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { allFigures, type MetricName } from '../support/figures/oracle'
import { seedHistory } from '../support/figures/seed'
import { Calendar } from '../support/figures/calendar'

// Every metric of generated projects is what an independent reckoning from the words of the stores says, cell by cell.

let s: Stage
beforeAll(async () => {
  s = await stage({ now: EARLIEST })
})
afterAll(() => s.close())

const NAMES: [path: string, name: MetricName][] = [
  ['revenue', 'revenue'],
  ['proceeds', 'proceeds'],
  ['mrr', 'mrr'],
  ['mrr-movement', 'mrrMovement'],
  ['active', 'active'],
  ['churn', 'churn'],
  ['trials', 'trials'],
  ['refunds', 'refunds'],
  ['ltv', 'ltv'],
]

const plain = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? Number(value) : value]))

test('figures equal the oracle', async () => {
  const seed = Number(process.env.SEED ?? 1)
  const history = { ...historyOf(seed, { min: 5, max: 20 }), rates: [] }
  await seedHistory(s, history, { together: 50 })
  const now = s.ctx.clock.now()
  const member = staff(s).as('CUSTOMER_SUPPORT')
  const first = Math.min(...history.purchases.flatMap((p) => p.observations.map((o) => o.eventAt)))
  for (const grain of ['month', 'total'] as const) {
    const asked = { from: first, to: Math.min(now, first + 1000 * 86_400_000), grain, now }
    const wanted = allFigures(history, asked)
    for (const [path, name] of NAMES) {
      const query = `from=${isoOf(asked.from)}&to=${isoOf(asked.to)}&grain=${grain}`
      const { status, body } = await member.get(`/metrics/${path}?${query}`)
      expect([path, status]).toEqual([path, 200])
      const { cells, totals } = wanted[name]
      expect([path, body.data.series]).toEqual([path, cells.map(({ start, values }) => ({ start, values: plain(values) }))])
      expect([path, body.data.totals]).toEqual([path, plain(totals)])
    }
  }
}, 120_000)
