import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { countEnded, countRenewals, countRunning, type FigureScope, sumByDay, sumByStore } from './figure-queries'
import { KeptFigures } from './kept-figures'
import type { PurchaseStatus } from './model'

export interface SubscriptionFigures {
  active: number
  trials: number
  grace: number
  retry: number
  mrr: Money
  churn30d: number
}

export interface RenewalDay {
  date: string
  renewals: number
  amountMicros: number
}

export interface VolumeDay {
  date: string
  transactions: number
  amountMicros: number
}

export interface StoreShare {
  store: Store
  transactions: number
  amountMicros: number
}

/** The kept figures of all projects. */
export interface MoneyFigures {
  subscriptions: KeptFigures<SubscriptionFigures>
  renewals: KeptFigures<RenewalDay[]>
  volume: KeptFigures<VolumeDay[]>
  stores: KeptFigures<StoreShare[]>
}

export const createMoneyFigures = (): MoneyFigures => ({
  subscriptions: new KeptFigures(),
  renewals: new KeptFigures(),
  volume: new KeptFigures(),
  stores: new KeptFigures(),
})

/** Subscriptions by saved status, monthly recurring revenue of those in dollars, and how many ended in 30 days. */
export function subscriptionFigures(
  ctx: Context,
  project: ProjectState,
  environment: PurchaseEnvironment,
): Promise<SubscriptionFigures> {
  const scope = { projectId: project.id, environment }
  const now = ctx.clock.now()
  return ctx.state.moneyFigures.subscriptions.read(nameOf(scope), now, () =>
    ctx.storage.readInThread(async (handle) => {
      const running = await countRunning(handle, scope)
      const ended = await countEnded(handle, scope, now - 30 * DAY)
      return toFigures(project, running, ended)
    }),
  )
}

type Running = Awaited<ReturnType<typeof countRunning>>

function toFigures({ catalog }: ProjectState, running: Running, ended: number): SubscriptionFigures {
  const of = (status: PurchaseStatus) => running.filter((row) => row.status === status)
  const number = (status: PurchaseStatus) => of(status).reduce((sum, row) => sum + row.count, 0)
  const [active, trials, grace, retry] = [
    number('ACTIVE'),
    number('TRIAL'),
    number('GRACE_PERIOD'),
    number('BILLING_RETRY'),
  ]
  const paid = [...of('ACTIVE'), ...of('GRACE_PERIOD')].filter(({ currency }) => currency === 'USD')
  const micros = paid.reduce((sum, { productId, micros }) => {
    const period = productId === null ? null : (catalog.products.get(productId)?.period ?? null)
    return sum + Number(micros ?? 0) / monthsOf(period)
  }, 0)
  const before = active + grace + retry + ended
  const churn30d = before === 0 ? 0 : Math.round((ended / before) * 10_000) / 10_000
  return { active, trials, grace, retry, mrr: { amountMicros: Math.round(micros), currency: 'USD' }, churn30d }
}

const DAYS_PER_MONTH = 365.25 / 12
const MONTHS = { D: 1 / DAYS_PER_MONTH, W: 7 / DAYS_PER_MONTH, M: 1, Y: 12 } as const

/** The length of an ISO 8601 period in months; 1 when it is not known, so that the price counts once a month. */
export function monthsOf(period: string | null): number {
  const parts = [...(period ?? '').matchAll(/(\d+)([DWMY])/g)]
  const months = parts.reduce((sum, [, count, unit]) => sum + Number(count) * MONTHS[unit as keyof typeof MONTHS], 0)
  return months > 0 ? months : 1
}

const CALENDAR_DAYS = 30

/** Renewals that are expected in the next 30 days, today included; the amounts of those in dollars. */
export function renewalCalendar(
  ctx: Context,
  { id: projectId }: ProjectState,
  environment: PurchaseEnvironment,
): Promise<RenewalDay[]> {
  const scope = { projectId, environment }
  const now = ctx.clock.now()
  const today = Math.floor(now / DAY)
  return ctx.state.moneyFigures.renewals.read(`${nameOf(scope)} ${today}`, now, async () => {
    const end = (today + CALENDAR_DAYS) * DAY
    const rows = await ctx.storage.readInThread((handle) => countRenewals(handle, scope, now, end))
    const byDay = new Map(rows.map((row) => [Number(row.day), row]))
    return daysFrom(today, CALENDAR_DAYS).map((day) => {
      const found = byDay.get(day)
      return { date: dateOf(day), renewals: found?.count ?? 0, amountMicros: Number(found?.micros ?? 0) }
    })
  })
}

/** Charges of a window by day. Days without a charge are in it too. */
export function transactionVolume(ctx: Context, scope: FigureScope, from: number, to: number): Promise<VolumeDay[]> {
  const name = `${nameOf(scope)} ${from} ${to}`
  return ctx.state.moneyFigures.volume.read(name, ctx.clock.now(), async () => {
    const rows = await ctx.storage.readInThread((handle) => sumByDay(handle, scope, from, to))
    const byDay = new Map(rows.map((row) => [Number(row.day), row]))
    const first = Math.floor(from / DAY)
    return daysFrom(first, Math.ceil(to / DAY) - first).map((day) => {
      const found = byDay.get(day)
      return { date: dateOf(day), transactions: found?.count ?? 0, amountMicros: Number(found?.micros ?? 0) }
    })
  })
}

/** Charges of a window by store, the store with the most dollars first. */
export function storeBreakdown(ctx: Context, scope: FigureScope, from: number, to: number): Promise<StoreShare[]> {
  const name = `${nameOf(scope)} ${from} ${to}`
  return ctx.state.moneyFigures.stores.read(name, ctx.clock.now(), async () => {
    const rows = await ctx.storage.readInThread((handle) => sumByStore(handle, scope, from, to))
    const shares = rows.map(({ store, count, micros }) => ({
      store,
      transactions: count,
      amountMicros: Number(micros ?? 0),
    }))
    return shares.sort((a, b) => b.amountMicros - a.amountMicros || (a.store < b.store ? -1 : 1))
  })
}

const nameOf = ({ projectId, environment }: FigureScope): string => `${projectId} ${environment}`

const daysFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first + index)

const dateOf = (day: number): string => toIso(day * DAY).slice(0, 10)
