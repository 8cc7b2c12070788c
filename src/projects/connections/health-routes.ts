import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { toIsoOrNull } from '../../base/lib/time'

/** All stores that this process can call, whether it has called them yet or not. */
export const STORES_WITH_HEALTH = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

/** The health of the stores (wire 7.18). */
export const storeHealthRoutes = (ctx: Context) =>
  new Elysia().get('/health/stores', () => ({ stores: STORES_WITH_HEALTH.map((store) => storeHealth(ctx, store)) }), {
    detail: { hide: true },
  })

/** What this process has recorded about a store; no request is sent to the store. */
function storeHealth({ circuits, clock }: Context, store: string) {
  const { circuit, lastOkAt } = circuits.healthOf(store, clock.now())
  return { store, circuit, lastOkAt: toIsoOrNull(lastOkAt) }
}
