import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import type { Operator } from '../../projects/doors/operator'
import { conflict } from '../../projects/project/edit'
import { requireTestVault } from '../../stores/test-keys/service'
import { simulateSale } from '../driver/simulate'
import { termsOf, USUAL_PRICE } from '../driver/terms'
import type { SimulatedStore } from '../stores/life'
import { idsOf } from '../stores/lives'
import { refuseCurrency } from './currency-right'
import { heldBy, recordSale, refuseUnheard } from './record-sale'

/** Whether the test stores sell anything here: they can be switched off, and they need a master key for their keys. */
export const isSelling = ({ config, vault }: Context): boolean => config.isSimulatorOn && vault !== null

const SWITCHED_OFF = 'The simulator is switched off (SVC_SIMULATOR=off).'

/** 503 where the test stores are switched off, or cannot save their keys. */
export function requireTestStores(ctx: Context): void {
  if (!ctx.config.isSimulatorOn)
    throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'test_store' }, { message: SWITCHED_OFF })
  requireTestVault(ctx)
}

export interface TestOrder {
  deviceKey: string
  /** The product's identifier in the project, or its id at the store. */
  product: string
  /** Further products of the same purchase, named likewise. */
  others?: readonly string[]
  /** Null = the iOS store where the project has a bundle id, else the Android store; that one for several products. */
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
 * Makes a purchase at a test store and records it, as `svc simulate purchase` does, but nothing else that came due
 * there. 503 where the test stores are off, 400 for a product that the project does not have, 403 for one that grants
 * virtual currency if the role may not give any, 409 where the store or the intake refuses or the device is erased.
 */
export async function makeTestPurchase(
  ctx: Context,
  { project, actor, role }: Pick<Operator, 'project' | 'actor' | 'role'>,
  { deviceKey, product, others = [], store: asked, withTrial }: TestOrder,
): Promise<TestPurchase> {
  requireTestStores(ctx)
  const store = asked ?? (project.ios && others.length === 0 ? 'ios' : 'android')
  const soldBy = (member: string) => (name: string) => {
    const terms = termsOf(project, store, name, USUAL_PRICE)
    if (!terms) throw invalid(`${member}: the project has no product "${name}"`)
    return terms
  }
  const sold = { terms: soldBy('product')(product), others: others.map(soldBy('with')) }
  const buying = { deviceKey: checkDeviceKey(deviceKey, 'device'), store, ...sold, withTrial }
  refuseCurrency(role, project, buying)
  const result = await simulateSale(ctx, project, buying, (tx) => recordSale(tx, project, actor, buying))
  if (!result.ok) throw conflict(result.why)
  refuseUnheard(result)
  const { transactionId } = idsOf(result.life)
  return { store, transactionId, ...(await heldBy(ctx, project, deviceKey)) }
}
