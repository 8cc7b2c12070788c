import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import { type Cell, cellsOf, type Grain } from './cells'
import type { ReportRate } from './report-rate'
import type { GroupBy, SumScope } from './sums'
import { readKnownBefore, readWindow } from './window'

/** What a query of figures can name, as it is sent. */
export interface FigureQuery {
  from?: string | undefined
  to?: string | undefined
  grain?: Grain | undefined
  groupBy?: GroupBy | undefined
  environment?: PurchaseEnvironment | undefined
  knownAt?: string | undefined
  filters?: SumScope['filters']
  rate?: ReportRate | null
}

/** What a query of figures means. */
export interface FigureRequest {
  grain: Grain
  window: Cell
  cells: Cell[]
  scope: SumScope
  /** Null = the answer is in USD. */
  rate: ReportRate | null
}

/** Reads a query of figures; see `readWindow` for the refusals. */
export function readFigureQuery(ctx: Context, { id, timezone }: ProjectState, query: FigureQuery): FigureRequest {
  const { grain = 'day', environment = 'PRODUCTION', groupBy = null, filters = {}, rate = null } = query
  const now = ctx.clock.now()
  const window = readWindow(query, grain, timezone, now)
  const knownBefore = readKnownBefore(query.knownAt, timezone)
  const kept = ctx.state.answers.forReading()
  const scope = { projectId: id, environment, groupBy, filters, knownBefore, now, timezone, ...(kept && { kept }) }
  return { grain, window, cells: cellsOf(window.start, window.end, grain, timezone), scope, rate }
}
