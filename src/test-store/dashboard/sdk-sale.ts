import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { TestSale } from '../../moving/sdk-door/test-store'
import type { ProjectState } from '../../projects/project/state'
import { requireTestVault } from '../../stores/test-keys/service'
import { simulateSale } from '../driver/simulate'
import { termsOf, USUAL_PRICE } from '../driver/terms'
import { APP } from '../stores/world'

/**
 * Makes the purchase of an app that was built with another vendor's SDK. Gives the reason when nothing is sold; throws
 * when the purchase is sold and not recorded yet.
 */
export async function sellToSdk(
  ctx: Context,
  project: ProjectState,
  { deviceKey, product }: TestSale,
  onSale: (tx: Tx) => Promise<void>,
): Promise<string | null> {
  if (!ctx.config.isSimulatorOn) return 'The test store is switched off on this server'
  requireTestVault(ctx)
  const store = project.ios ? 'ios' : 'android'
  const price = project.catalog.productByIdentifier.get(product)?.price
  const charged = price ? { micros: price.amountMicros, currency: price.currency } : USUAL_PRICE
  const terms = termsOf(project, store, product, charged)
  if (!terms) return `The project has no product "${product}"`
  const done = await simulateSale(ctx, project, { deviceKey, store, terms, withTrial: false }, onSale)
  if (!done.ok) return done.why
  const failure = done.failed.find(({ type }) => type === APP)
  if (failure?.isFinal) return failure.error
  if (failure) throw new AppError('STORE_UNAVAILABLE', undefined, { message: failure.error })
  return null
}
