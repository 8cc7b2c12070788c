import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { Store } from '../../stores/observation'
import { type FigureScope, sumByDay, sumByStore } from './figure-queries'
import { KeptFigures } from './kept-figures'

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
  volume: KeptFigures<VolumeDay[]>
  stores: KeptFigures<StoreShare[]>
}

export const createMoneyFigures = (): MoneyFigures => ({
  volume: new KeptFigures(),
  stores: new KeptFigures(),
})

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
