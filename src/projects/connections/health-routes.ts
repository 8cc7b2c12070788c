import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { toIsoOrNull } from '../../base/lib/time'

/** Every store that can be asked, whether anybody has asked it yet or not. */
export const ASKED_STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

/** How the stores answer (wire 7.18). */
export const storeHealthRoutes = (ctx: Context) =>
  new Elysia().get('/health/stores', () => ({ stores: ASKED_STORES.map((store) => storeHealth(ctx, store)) }), {
    detail: { hide: true },
  })

/** As this process has seen the store; no store is asked for it. */
function storeHealth({ circuits, clock }: Context, store: string) {
  const { circuit, lastOkAt } = circuits.healthOf(store, clock.now())
  return { store, circuit, lastOkAt: toIsoOrNull(lastOkAt) }
}
