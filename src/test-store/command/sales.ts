import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { findFunnelPayment } from '../../funnels/payments/service'
import type { ProjectState } from '../../projects/project/state'
import { setCode, setOffer, settleSale } from '../driver/sales'
import { toDuration, toPercent, toPrice, type Values } from './options'
import { orFail } from './purchase'
import { report } from './report'

/** Sets what a product costs in funnels at the test store. `trial`: the word after `--trial`. */
export async function price(
  ctx: Context,
  project: ProjectState,
  io: Io,
  trial: string | undefined,
  values: Values,
): Promise<number> {
  if (values.product === undefined || values.price === undefined)
    throw new UsageError('simulate price needs --product and --price')
  if (values.trial !== (trial !== undefined || undefined)) throw new UsageError('--trial takes a time such as 7d')
  const product = project.catalog.productByIdentifier.get(values.product)
  if (!product) throw new CommandFailure('NOT_FOUND', `The project has no product "${values.product}".`)
  const { micros: amountMicros, currency } = toPrice(values)
  const trialDays = trial === undefined ? 0 : Math.ceil(toDuration('--trial', trial) / DAY)
  const offer = { price: { amountMicros, currency }, trialDays }
  await setOffer(ctx, project.id, product.identifier, offer)
  io.out(values.json ? JSON.stringify({ product: product.identifier, ...offer }) : sentence(product.identifier, values))
  return 0
}

const sentence = (product: string, { price: amount, currency = 'USD' }: Values): string =>
  `${product} costs ${amount} ${currency} in funnels at the test store, unless the product has a price of its own.`

const CODE = /^[A-Z0-9_-]{1,50}$/

/** Sets what a promotion code takes off in funnels at the test store, or ends it with `--off`. */
export async function promotion(ctx: Context, project: ProjectState, io: Io, values: Values): Promise<number> {
  const code = values.code?.toUpperCase() ?? ''
  const isEnding = values.off === true
  if (!CODE.test(code) || isEnding === (values.percent !== undefined))
    throw new UsageError('simulate promotion needs --code of letters, digits, - and _, and either --percent or --off')
  const percentOff = isEnding ? null : toPercent(values.percent)
  await setCode(ctx, project.id, code, percentOff)
  const told = percentOff === null ? `${code} takes nothing off any more.` : `${code} takes ${percentOff} % off.`
  io.out(values.json ? JSON.stringify({ code, percentOff }) : `${told} It counts in funnels at the test store.`)
  return 0
}

/** A payment that takes days comes in, or fails with `--fail`. */
export async function settle(ctx: Context, project: ProjectState, io: Io, values: Values): Promise<number> {
  if (values.payment === undefined) throw new UsageError('simulate settle needs --payment')
  const payment = await findFunnelPayment(ctx, values.payment)
  if (payment?.projectId !== project.id || payment.provider !== 'test')
    throw new CommandFailure('NOT_FOUND', `The test store has no payment "${values.payment}".`)
  const done = orFail(await settleSale(ctx, project, payment.reference, values.fail ?? false))
  return report(ctx, project, io, values.json, done)
}
