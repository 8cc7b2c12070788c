import type { Context } from '../../base/context'
import { DAY, MINUTE } from '../../base/lib/clock'
import { type AppStatus, listApps } from '../../intake/store-apps/apps'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import { countArrivals, listDelays } from './queries'

/** How a store reports to us. */
export interface StoreOverview {
  store: AppStatus['store']
  status: AppStatus['status']
  lastNotificationAt: number | null
  /** From the store's own time of a notification to its receipt; of the newest ones. */
  medianDelayMs: number | null
  /** Notifications by half hour; the last one is the current one. */
  halfHours: number[]
}

const STORES: Readonly<Record<AppStatus['store'], Store>> = {
  ios: 'IOS_STORE',
  android: 'ANDROID_STORE',
  payment: 'PAYMENT',
}

const HALF_HOUR = 30 * MINUTE
export const HALF_HOURS = DAY / HALF_HOUR
/** How many notifications the median is of, at the most. */
const MEDIAN_OF = 50

/** The counts of past half hours, which do not change any more, by project and store. */
export class ArrivalCounts {
  private readonly kept = new Map<string, Map<number, number>>()

  constructor(private readonly ctx: Context) {}

  /** The notifications of each half hour of the last day. */
  async read(projectId: string, store: Store): Promise<number[]> {
    const name = `${projectId} ${store}`
    const current = Math.floor(this.ctx.clock.now() / HALF_HOUR)
    const first = current - HALF_HOURS + 1
    const known = this.kept.get(name) ?? new Map<number, number>()
    const slots = Array.from({ length: HALF_HOURS }, (_, index) => first + index)
    const from = slots.find((slot) => !known.has(slot)) ?? current
    const counted = await countArrivals(this.ctx, { projectId, store }, from * HALF_HOUR, HALF_HOUR)
    const counts = new Map(slots.map((slot) => [slot, slot < from ? known.get(slot) : counted.get(slot)]))
    // A transaction of the half hour before may still commit.
    this.keep(name, new Map([...counts].flatMap(([slot, count = 0]) => (slot < current - 1 ? [[slot, count]] : []))))
    return slots.map((slot) => counts.get(slot) ?? 0)
  }

  private keep(name: string, counts: Map<number, number>): void {
    this.kept.delete(name)
    this.kept.set(name, counts)
    const [oldest] = this.kept.keys()
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest)
  }
}

const MOST_KEPT = 1500

/** Every store that is connected, or has ever notified. */
export async function readStores(ctx: Context, project: ProjectState): Promise<StoreOverview[]> {
  const apps = await listApps(ctx, project)
  const shown = apps.filter(({ status, lastNotificationAt }) => status !== 'INCOMPLETE' || lastNotificationAt !== null)
  const stores: StoreOverview[] = []
  for (const { store, status, lastNotificationAt } of shown) {
    const of = { projectId: project.id, store: STORES[store] }
    stores.push({
      ...{ store, status, lastNotificationAt },
      medianDelayMs: lastNotificationAt === null ? null : medianOf(await listDelays(ctx, of, MEDIAN_OF)),
      halfHours: await ctx.state.arrivalCounts.read(of.projectId, of.store),
    })
  }
  return stores
}

/** Of an even number the mean of the two in the middle, rounded. */
export function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
