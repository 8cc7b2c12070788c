import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { resultFor } from '../../intake/receipts/receipt'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import { findByDevice } from '../../people/subscribers/service'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import { conflict } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import { requireVault } from '../../stores/test-keys/service'
import { idsOf } from '../command/report'
import { type Done, simulatePurchase } from '../driver/simulate'
import { termsOf, USUAL_PRICE } from '../driver/terms'
import type { SimulatedStore } from '../stores/life'
import { APP } from '../stores/world'

/** Whether the test stores sell anything here: they can be switched off, and they need a master key for their keys. */
export const isSelling = ({ config, vault }: Context): boolean => config.isSimulatorOn && vault !== null

export interface TestOrder {
  deviceKey: string
  /** The product's identifier in the project, or its id at the store. */
  product: string
  /** Null = the iOS store where the project has a bundle id, else the Android store. */
  store: SimulatedStore | null
  withTrial: boolean
}

/** What came of a purchase at a test store. */
export interface TestPurchase {
  store: SimulatedStore
  transactionId: string
  subscriberId: string | null
  /** Accesses that the device holds now. */
  access: string[]
}

/**
 * Makes a purchase at a test store and records it, as `svc simulate purchase` does. 503 where the test stores are off,
 * 400 for a product that the project does not have, 409 where the store or the intake refuses.
 */
export async function makeTestPurchase(
  ctx: Context,
  project: ProjectState,
  actor: Actor,
  { deviceKey, product, store: asked, withTrial }: TestOrder,
): Promise<TestPurchase> {
  if (!ctx.config.isSimulatorOn) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'test_store' })
  requireVault(ctx)
  const store = asked ?? (project.ios ? 'ios' : 'android')
  const terms = termsOf(project, store, product, USUAL_PRICE)
  if (!terms) throw invalid(`product: the project has no product "${product}"`)
  const buying = { deviceKey: checkDeviceKey(deviceKey, 'device'), store, terms, withTrial }
  const result = await simulatePurchase(ctx, project, buying)
  if (!result.ok) throw conflict(result.why)
  const { transactionId } = idsOf(result.life)
  await ctx.write((tx) =>
    recordAudit(tx, project.id, actor, [
      {
        action: 'test_store.purchase',
        target: { type: 'test_purchase', id: transactionId },
        before: null,
        after: { store, product: terms.identifier, device: deviceKey },
      },
    ]),
  )
  refuseUnheard(result)
  return { store, transactionId, ...(await heldBy(ctx, project, deviceKey)) }
}

/** The app's post was refused for good: nobody got anything, although the store has sold it. */
function refuseUnheard({ failed }: Done): void {
  const refusal = failed.find(({ type, isFinal }) => type === APP && isFinal)
  if (refusal) throw conflict(`The purchase was refused: ${refusal.error}`)
}

async function heldBy(ctx: Context, project: ProjectState, deviceKey: string) {
  const holder = await findByDevice(ctx, project.id, deviceKey)
  const held = holder && (await resultFor(ctx, project, holder))
  return { subscriberId: held?.subscriber.id ?? null, access: Object.keys(held?.access ?? {}) }
}
