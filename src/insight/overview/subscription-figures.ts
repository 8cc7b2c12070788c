import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { localDays } from '../../base/lib/local-days'
import type { Money } from '../../base/lib/money'
import { toIso } from '../../base/lib/time'
import { givesAccess, isPaidFor, type PurchaseStatus } from '../../core/purchase/status'
import { countRunning } from '../../people/purchases/figure-queries'
import { KeptFigures } from '../../people/purchases/kept-figures'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import { readFigureQuery } from '../figures/scope'
import { readWhole } from '../figures/series'
import { type RenewalCalendar, renewalsAhead } from './renewals'

export interface SubscriptionFigures {
  active: number
  trials: number
  grace: number
  retry: number
  /** Grants that give access. They are free. */
  granted: number
  mrr: Money & { unconverted: number }
  churn30d: number
}

/** The figures of subscriptions, each kept for a minute. */
export class SubscriptionFigureKeeper {
  private readonly figures = new KeptFigures<SubscriptionFigures>()
  private readonly calendars = new KeptFigures<RenewalCalendar>()

  constructor(private readonly ctx: Context) {}

  read(project: ProjectState, environment: PurchaseEnvironment): Promise<SubscriptionFigures> {
    const name = `${project.id} ${environment}`
    return this.figures.read(name, this.ctx.clock.now(), () => readFiguresOf(this.ctx, project, environment))
  }

  readCalendar(project: ProjectState, environment: PurchaseEnvironment): Promise<RenewalCalendar> {
    const name = `${project.id} ${environment} ${project.timezone}`
    return this.calendars.read(name, this.ctx.clock.now(), () => renewalsAhead(this.ctx, project, environment))
  }
}

function readFiguresOf(
  ctx: Context,
  project: ProjectState,
  environment: PurchaseEnvironment,
): Promise<SubscriptionFigures> {
  const end = ctx.clock.now() + 1
  const { dayOf, startOf } = localDays(project.timezone)
  // The 30 days that the charts show, so that they say the same.
  const window = { from: toIso(startOf(dayOf(end - 1) - 29)), to: toIso(end) }
  const request = readFigureQuery(ctx, project, { ...window, grain: 'total', environment })
  const read = async (handle: Handle) => {
    const running = await countRunning(handle, { projectId: project.id, environment })
    const { total } = await readWhole(handle, request)
    const sold = running.filter(({ isGrant }) => !isGrant)
    return {
      active: countOf(sold, ({ status, isTrial }) => isPaidFor(status) && !isTrial),
      trials: countOf(sold, ({ status, isTrial }) => status === 'TRIAL' || (isTrial && isPaidFor(status))),
      grace: countOf(sold, ({ status }) => status === 'GRACE_PERIOD'),
      retry: countOf(sold, ({ status }) => status === 'BILLING_RETRY'),
      granted: countOf(running, ({ isGrant, status }) => isGrant && givesAccess(status)),
      mrr: { amountMicros: total.end.mrr, currency: 'USD', unconverted: total.end.unconverted },
      churn30d: total.start.paid === 0 ? 0 : toShare(total.sums.paidOut / total.start.paid),
    }
  }
  return ctx.storage.readInThread(read, { group: project.id })
}

interface Running {
  status: PurchaseStatus
  isTrial: boolean
  isGrant: boolean
  count: number
}

const countOf = (rows: readonly Running[], isCounted: (row: Running) => boolean): number =>
  rows.filter(isCounted).reduce((sum, { count }) => sum + count, 0)

const toShare = (share: number): number => Math.round(share * 10_000) / 10_000
