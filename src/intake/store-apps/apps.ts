import type { Context } from '../../base/context'
import type { CircuitStatus } from '../../base/lib/circuit'
import { loadStoreSettings, type SavedSettings } from '../../projects/connections/credentials'
import type { ProjectState } from '../../projects/project/state'
import { STORE_NAMES, type StoreName } from '../../projects/store-setup/model'
import type { Store } from '../../stores/observation'
import { findLastArrival } from '../inbox/service'

export interface AppStatus {
  store: StoreName
  /**
   * `INCOMPLETE`: something must be saved first. `FAILING`: the master key does not open the saved keys, or the store
   * did not answer lately.
   */
  status: 'OK' | 'INCOMPLETE' | 'FAILING'
  lastNotificationAt: number | null
  /** The last call of this process that the store answered. */
  lastCallOkAt: number | null
  circuit: CircuitStatus
}

const STORES: Readonly<Record<StoreName, Store>> = { ios: 'IOS_STORE', android: 'ANDROID_STORE', payment: 'PAYMENT' }

/** The state of the connection to each store. Calls no store. */
export async function listApps(ctx: Context, project: ProjectState): Promise<AppStatus[]> {
  const settings = await loadStoreSettings(ctx, ctx.vault, project.id)
  return Promise.all(STORE_NAMES.map((store) => appStatus(ctx, project, store, settings.get(store))))
}

async function appStatus(
  ctx: Context,
  project: ProjectState,
  store: StoreName,
  saved: SavedSettings | undefined,
): Promise<AppStatus> {
  // Google limits each project for itself, so each has its own circuit; the other stores have one for all projects.
  const name = store === 'android' ? project.id : null
  const { circuit, lastOkAt } = ctx.circuits.healthOf(STORES[store], ctx.clock.now(), name)
  const isComplete = saved !== undefined && IS_COMPLETE[store](ctx, project, saved)
  const isFailing = circuit !== 'CLOSED' || saved?.secrets === null
  return {
    store,
    status: isComplete ? (isFailing ? 'FAILING' : 'OK') : 'INCOMPLETE',
    lastNotificationAt: await findLastArrival(ctx, project.id, STORES[store]),
    lastCallOkAt: lastOkAt,
    circuit,
  }
}

/** Whether everything is saved that receipts, notifications and calls to the store need. */
const IS_COMPLETE: Readonly<Record<StoreName, (ctx: Context, project: ProjectState, saved: SavedSettings) => boolean>> =
  {
    ios: (_ctx, { ios }, { config }) =>
      ios?.appId != null && typeof config.inAppPurchaseKey === 'object' && config.inAppPurchaseKey !== null,
    android: (_ctx, { android }, { hasSecrets }) => android !== null && hasSecrets,
    payment: ({ config }, { payment }, { hasSecrets }) =>
      payment !== null && (payment.accountId === null ? hasSecrets : config.paymentConnect[payment.mode] !== null),
  }
