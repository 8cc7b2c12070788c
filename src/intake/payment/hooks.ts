import type { Context, Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import type { Recording } from '../recording/recording'

/** Another way to record a sale, or why it is not recorded. */
export type WatchedSale = { ignored: string } | { record(tx: Tx, cause: EventCause): Promise<Recording> }

/** Looks at a sale that the provider reports, before it is recorded. Null: it is recorded like any other. */
export type PaymentWatch = (
  ctx: Context,
  project: ProjectState,
  purchase: DecodedPayment,
) => Promise<WatchedSale | null>

declare module '../../base/state' {
  interface SliceHooks {
    watchPayments: PaymentWatch
  }
}

export async function watchSale(
  ctx: Context,
  project: ProjectState,
  purchase: DecodedPayment,
): Promise<WatchedSale | null> {
  for (const watch of ctx.hooks.watchPayments ?? []) {
    const watched = await watch(ctx, project, purchase)
    if (watched) return watched
  }
  return null
}
