import type { Static } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError, missing } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { hasCapability } from '../../core/roles/roles'
import { findFunnelPayment } from '../../funnels/payments/service'
import { resultFor } from '../../intake/receipts/receipt'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import { findByDevice } from '../../people/subscribers/service'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { Operator } from '../../projects/doors/operator'
import { conflict } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import type { Heard } from '../driver/deliver'
import { setCode, setOffer, settleSale } from '../driver/sales'
import { changeTrouble, type Done, deliverAll, type Result, simulateTime } from '../driver/simulate'
import { readStatus } from '../driver/status'
import { dueOf, idsOf, type Life } from '../stores/lives'
import { APP, NO_TROUBLE } from '../stores/world'
import { requireTestStores } from './admin'
import { refuseCurrency } from './currency-right'
import { buyingOf, purchase, turn, unposted } from './simulation-orders'
import type { SimulationOrder, SimulationResult, StoresStatus } from './simulation-wire'

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
  await record(ctx, project, actor, order)
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

/** A command of this machine leaves no row, as it works in databases without people too. */
async function record(ctx: Context, { id }: ProjectState, actor: Actor, order: SimulationOrder): Promise<void> {
  if (actor.kind === 'CLI') return
  const buyer = 'device' in order ? await findByDevice(ctx, id, order.device) : null
  const target = buyer ? { type: 'subscriber', id: buyer.id } : { type: 'testStore', id: 'test-store' }
  await ctx.write((tx) =>
    recordAudit(tx, id, actor, [{ action: 'test_store.simulate', target, before: null, after: imageOf(order) }]),
  )
}

/** Without the device: an erasure must find nothing of a person in the row. */
function imageOf(order: SimulationOrder): Record<string, unknown> {
  const { device: _device, ...image } = { device: null, ...order }
  return image
}

async function done(ctx: Context, project: ProjectState, made: Promise<Result<Done>>): Promise<Answer> {
  const result = await made
  if (!result.ok) throw conflict(result.why)
  const holder = await findByDevice(ctx, project.id, result.life.deviceKey)
  const held = holder && (await resultFor(ctx, project, holder))
  return {
    store: result.life.store,
    ...idsOf(result.life),
    subscriberId: held?.subscriber.id ?? null,
    access: held?.access ?? {},
    virtualCurrencyBalances: held?.balances ?? {},
    told: result.told,
    ...toHeard(result),
  }
}

const toHeard = ({ delivered, failed }: Heard) => ({ delivered: delivered.filter((type) => type !== APP), failed })

const lifeOf = (life: Life) => ({
  store: life.store,
  device: life.deviceKey,
  product: life.terms.identifier,
  ...idsOf(life),
})

async function advance(ctx: Context, project: ProjectState, ms: number): Promise<Answer> {
  const passed = await simulateTime(ctx, project, ms)
  const { now } = await readStatus(ctx, project)
  const steps = passed.steps.map(({ at, turn: word, life }) => ({ at: toIso(at), turn: word, ...lifeOf(life) }))
  return { now: toIso(now), steps, ...toHeard(passed) }
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

/** The state of the test stores, with the purchases and the messages that wait. */
export async function storesStatus(ctx: Context, project: ProjectState): Promise<Static<typeof StoresStatus>> {
  requireTestStores(ctx)
  const { now, state, lives, waiting } = await readStatus(ctx, project)
  const purchases = lives.map((life) => {
    const due = dueOf(life)
    const next = due && { turn: due.turn, at: toIso(due.at + state.leadMs) }
    return { ...lifeOf(life), next }
  })
  return {
    now: toIso(now),
    advancedMs: state.leadMs,
    trouble: { ...NO_TROUBLE, ...state.trouble },
    lost: state.lost,
    purchases,
    waiting: waiting.map(({ deliverAt, ...one }) => ({ ...one, deliverAt: toIso(deliverAt) })),
  }
}
