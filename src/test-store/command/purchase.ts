import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { type Buying, postOf } from '../driver/buy'
import { receiptOf } from '../driver/send'
import { type Done, type Result, simulatePurchase, simulateUnposted } from '../driver/simulate'
import { type Price, termsOf, USUAL_PRICE } from '../driver/terms'
import type { SimulatedStore, SimulatedTerms } from '../stores/life'
import { toPrice, toStore, type Values } from './options'
import { report } from './report'

export async function purchase(
  ctx: Context,
  project: ProjectState,
  io: Io,
  deviceKey: string,
  values: Values,
): Promise<number> {
  if (values.product === undefined) throw new UsageError('simulate purchase needs --product')
  const store = toStore(values.store) ?? 'ios'
  const sold = soldBy(project, store, values.product, toPrice(values))
  const terms = values.commitment ? { ...sold, isCommitted: true } : sold
  const others = (values.with ?? []).map((name) => soldBy(project, store, name, toPrice(values)))
  const buying = { deviceKey, store, terms, others, withTrial: values.trial ?? false }
  if (!values.print) return report(ctx, project, io, values.json, orFail(await simulatePurchase(ctx, project, buying)))
  io.out(await printed(ctx, project, buying))
  return 0
}

/** The terms at which the test store sells a product. Throws when the catalogue does not have the product. */
export function soldBy(project: ProjectState, store: SimulatedStore, name: string, price: Price): SimulatedTerms {
  const terms = termsOf(project, store, name, price)
  if (!terms) throw new CommandFailure('NOT_FOUND', `The project has no product "${name}"; add it with svc apply.`)
  return terms
}

export function orFail(result: Result<Done>): Done {
  if (!result.ok) throw new CommandFailure('CONFLICT', result.why)
  return result
}

/** The request body that an app would send for the purchase. */
async function printed(ctx: Context, project: ProjectState, buying: Buying): Promise<string> {
  if (buying.store === 'payment')
    throw new CommandFailure('HTTP_ERROR', 'No app posts what is bought on the web; leave --print out.')
  const { life } = orFail(await simulateUnposted(ctx, project, buying))
  const post = postOf(life)
  if (!post) throw new Error(`no app posts a purchase of ${life.store}`)
  const { productId } = life.terms
  return JSON.stringify({ receipt: await receiptOf(ctx, project, post), appUserId: life.deviceKey, productId })
}

const usual = (project: ProjectState, deviceKey: string, product: string): Buying => ({
  ...{ deviceKey, store: 'ios', withTrial: false },
  terms: soldBy(project, 'ios', product, USUAL_PRICE),
})

/** Makes one purchase at the test store and records it; the demo starts with it. */
export async function recordPurchase(ctx: Context, projectId: string, device: string, product: string): Promise<void> {
  const project = await ctx.state.projects.get(projectId)
  orFail(await simulatePurchase(ctx, project, usual(project, device, product)))
}

/** Makes a purchase at the test store without recording it, and returns the request body for curl. */
export async function orderBody(ctx: Context, projectId: string, device: string, product: string): Promise<string> {
  const project = await ctx.state.projects.get(projectId)
  return printed(ctx, project, usual(project, device, product))
}
