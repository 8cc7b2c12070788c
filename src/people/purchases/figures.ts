import type { Context } from '../../base/context'
import { type LocalDays, localDays } from '../../base/lib/local-days'
import { toDate } from '../../projects/exchange-rates/day'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { type LineScope, type QuarterSum, sumByQuarter, sumByStore } from './figure-queries'
import { KeptFigures } from './kept-figures'
import { countsUnlisted } from './unlisted-sales'

export interface VolumeDay {
  date: string
  transactions: number
  amountMicros: number
}

export interface StoreShare {
  store: Store
  transactions: number
  amountMicros: number
  /** How many of them lack an exchange rate, so that they are not in the amount. */
  unconverted: number
}

/** The kept figures of all projects. */
export interface MoneyFigures {
  volume: KeptFigures<VolumeDay[]>
  stores: KeptFigures<StoreShare[]>
}

export const createMoneyFigures = (): MoneyFigures => ({
  volume: new KeptFigures(),
  stores: new KeptFigures(),
})

/** Which charges of a project are summed: those of unlisted sales only where the project counts them. */
export const lineScope = (
  project: Pick<ProjectState, 'id' | 'settings'>,
  { environment = 'PRODUCTION' }: { environment?: PurchaseEnvironment },
): LineScope => ({ projectId: project.id, environment, hasUnlisted: countsUnlisted(project) })

/** Charges of a window by the days of a time zone. Days without a charge are in it too. */
export function transactionVolume(
  ctx: Context,
  scope: LineScope & { timezone: string },
  from: number,
  to: number,
): Promise<VolumeDay[]> {
  const name = `${nameOf(scope)} ${scope.timezone} ${from} ${to}`
  return ctx.state.moneyFigures.volume.read(name, ctx.clock.now(), async () => {
    const quarters = await ctx.storage.readInThread((handle) => sumByQuarter(handle, scope, from, to), {
      group: scope.projectId,
    })
    return volumeByDay(quarters, localDays(scope.timezone), { from, to })
  })
}

function volumeByDay(quarters: readonly QuarterSum[], { dayOf }: LocalDays, window: { from: number; to: number }) {
  const byDay = Map.groupBy(quarters, ({ from }) => dayOf(Math.max(from, window.from)))
  const first = dayOf(window.from)
  const count = window.to > window.from ? dayOf(window.to - 1) - first + 1 : 0
  return Array.from({ length: count }, (_, index): VolumeDay => {
    const own = byDay.get(first + index) ?? []
    const sumOf = (of: (one: QuarterSum) => number) => own.reduce((sum, one) => sum + of(one), 0)
    return {
      date: toDate(first + index),
      transactions: sumOf((one) => one.count),
      amountMicros: sumOf((one) => one.micros),
    }
  })
}

/** Charges of a window by store, the store with the most dollars first. */
export function storeBreakdown(ctx: Context, scope: LineScope, from: number, to: number): Promise<StoreShare[]> {
  const name = `${nameOf(scope)} ${from} ${to}`
  return ctx.state.moneyFigures.stores.read(name, ctx.clock.now(), async () => {
    const rows = await ctx.storage.readInThread((handle) => sumByStore(handle, scope, from, to), {
      group: scope.projectId,
    })
    const shares = rows.map(({ store, count, converted, micros }) => ({
      store,
      transactions: count,
      amountMicros: Number(micros ?? 0),
      unconverted: count - converted,
    }))
    return shares.sort((a, b) => b.amountMicros - a.amountMicros || (a.store < b.store ? -1 : 1))
  })
}

const nameOf = ({ projectId, environment, hasUnlisted }: LineScope): string =>
  `${projectId} ${environment} ${hasUnlisted}`
