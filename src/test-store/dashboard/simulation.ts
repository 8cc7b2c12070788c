import type { Static } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError, missing } from '../../base/errors'
import { hasCapability } from '../../core/roles/roles'
import { findFunnelPayment } from '../../funnels/payments/service'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import type { Operator } from '../../projects/doors/operator'
import type { ProjectState } from '../../projects/project/state'
import { setCode, setOffer, settleSale } from '../driver/sales'
import { changeTrouble, type Done, deliverAll, type Result } from '../driver/simulate'
import { requireTestStores } from './admin'
import { refuseCurrency } from './currency-right'
import { recordSimulation } from './record-sale'
import { advance, done, toHeard } from './simulation-answers'
import { buyingOf, purchase, turn, unposted } from './simulation-orders'
import type { SimulationOrder, SimulationResult } from './simulation-wire'

type Answer = Static<typeof SimulationResult>

/**
 * Does what `svc simulate` does at the test stores of a project. 403 for what may book virtual currency if the role may
 * not give any: balances do not differ by environment. 409 where the store refuses.
 */
export async function simulate(
  ctx: Context,
  { project, actor, role }: Pick<Operator, 'project' | 'actor' | 'role'>,
  order: SimulationOrder,
): Promise<Answer> {
  requireTestStores(ctx)
  refuseBooking(role, project, order)
  const answer = await perform(ctx, project, order)
  await recordSimulation(ctx, project, actor, order)
  return answer
}

function perform(ctx: Context, project: ProjectState, order: SimulationOrder): Promise<Answer> {
  switch (order.action) {
    case 'purchase':
      checkDeviceKey(order.device, 'device')
      return order.posted === false ? unposted(ctx, project, order) : done(ctx, project, purchase(ctx, project, order))
    case 'advance':
      return advance(ctx, project, order.ms)
    case 'deliver':
      return deliverAll(ctx, project).then(toHeard)
    case 'trouble': {
      const { action: _action, ...change } = order
      return changeTrouble(ctx, project, change)
    }
    case 'price':
      return setPrice(ctx, project, order)
    case 'promotion':
      return setCode(ctx, project.id, order.code, order.percentOff).then(() => ({
        code: order.code,
        percentOff: order.percentOff,
      }))
    case 'settle':
      return done(ctx, project, settle(ctx, project, order))
    default:
      return done(ctx, project, turn(ctx, project, order))
  }
}

/** What a purchase books is known. What comes due at the test stores can be any purchase of the project. */
function refuseBooking(role: Operator['role'], project: ProjectState, order: SimulationOrder): void {
  if (order.action === 'purchase') refuseCurrency(role, project, buyingOf(project, order))
  const mayBook = !['purchase', 'trouble', 'price', 'promotion'].includes(order.action)
  if (mayBook && project.catalog.grantsByProduct.size > 0 && !hasCapability(role, 'credits:write'))
    throw new AppError('CAPABILITY_REQUIRED', { role, capability: 'credits:write' })
}

type Of<Action extends SimulationOrder['action']> = Extract<SimulationOrder, { action: Action }>

async function setPrice(ctx: Context, project: ProjectState, order: Of<'price'>): Promise<Answer> {
  const product = project.catalog.productByIdentifier.get(order.product)
  if (!product) throw missing(`The project has no product "${order.product}".`)
  const offer = { price: order.price, trialDays: order.trialDays }
  await setOffer(ctx, project.id, product.identifier, offer)
  return { product: product.identifier, ...offer }
}

async function settle(ctx: Context, project: ProjectState, order: Of<'settle'>): Promise<Result<Done>> {
  const payment = await findFunnelPayment(ctx, order.payment)
  if (payment?.projectId !== project.id || payment.provider !== 'test')
    throw missing(`The test store has no payment "${order.payment}".`)
  return settleSale(ctx, project, payment.reference, order.failed ?? false)
}
