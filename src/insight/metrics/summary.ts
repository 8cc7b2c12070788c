import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { roundHalfAway } from '../../core/money/money'
import { toValues } from '../charts/read'
import { isElsewhere } from '../clickhouse/numbers'
import type { Cell } from '../figures/cells'
import { type PeopleRequest, prepareAnswers, readPeople } from '../figures/kept/read'
import { countActive, countPayers } from '../figures/people'
import type { FigureRequest } from '../figures/scope'
import type { CellFigures } from '../figures/series'
import type { SumScope } from '../figures/sums'
import { readAsked } from './asked'
import { SUMMED } from './list'
import { type MetricAnswer, type MetricValues, moneyIn } from './service'

/** The totals of all metrics, and revenue for each active subscriber and each payer. */
export async function readSummary(ctx: Context, request: FigureRequest): Promise<MetricAnswer> {
  const { cells, window } = request
  const whole = { ...request.scope, groupBy: null }
  for (const question of ['ACTIVE', 'PAYING'] as const)
    if (!isElsewhere(ctx)) await prepareAnswers(ctx, whole, question, [...cells, window])
  return readAsked(ctx, request, async (handle, scope, figures) => ({
    ...totalsOf(figures),
    ...(await averagesOf(handle, scope, figures)),
  }))
}

/** Where two metrics have a value of the same name, it is named after its metric. */
const totalsOf = (figures: CellFigures): MetricValues =>
  Object.assign({}, ...SUMMED.map((metric) => renamed(metric.name, toValues(metric, figures))))

function renamed(name: string, { rate, ...values }: MetricValues): MetricValues {
  return rate === undefined ? values : { ...values, [`${name}Rate`]: rate }
}

async function averagesOf(handle: Handle, scope: SumScope, figures: CellFigures): Promise<MetricValues> {
  const { cell, report } = figures
  const { gross, refunds } = (report?.usd ?? figures).sums
  const active = await countIn(handle, scope, cell, { question: 'ACTIVE', countCell: countActive })
  const payers = await countIn(handle, scope, cell, { question: 'PAYING', countCell: countPayers })
  const averages = { arpu: perHead(gross - refunds, active), arppu: perHead(gross - refunds, payers) }
  return report ? moneyIn(report.rate, averages) : averages
}

async function countIn(handle: Handle, scope: SumScope, cell: Cell, asked: Omit<PeopleRequest, 'cells'>) {
  const countsOf = await readPeople(handle, scope, { ...asked, cells: [cell] })
  const [count = 0] = await countsOf('')
  return count
}

const perHead = (micros: number, heads: number): number | null => (heads === 0 ? null : roundHalfAway(micros / heads))
