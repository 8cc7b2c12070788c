import { Type } from '@sinclair/typebox'
import { UsageError } from '../../base/cli/command'
import { DAY } from '../../base/lib/clock'
import type { ProjectApi } from '../../projects/project/project-api'
import { Code, Offer } from '../dashboard/simulation-wire'
import { toDuration, toPercent, toPrice, type Values } from './options'
import { type Output, order, PATH, report } from './report'

/** A newer server may answer more. */
const OfferAnswer = Type.Omit(Offer, [], { additionalProperties: true })
const CodeAnswer = Type.Omit(Code, [], { additionalProperties: true })

/** Sets what a product costs in funnels at the test store. `trial`: the word after `--trial`. */
export async function price(
  project: ProjectApi,
  io: Output,
  trial: string | undefined,
  values: Values,
): Promise<number> {
  if (values.product === undefined || values.price === undefined)
    throw new UsageError('simulate price needs --product and --price')
  if (values.trial !== (trial !== undefined || undefined)) throw new UsageError('--trial takes a time such as 7d')
  const trialDays = trial === undefined ? 0 : Math.ceil(toDuration('--trial', trial) / DAY)
  const body = { action: 'price', product: values.product, price: toPrice(values), trialDays }
  const offer = await project.call('POST', PATH, { data: OfferAnswer, body })
  io.out(values.json ? JSON.stringify(offer) : sentence(offer.product, values))
  return 0
}

const sentence = (product: string, { price: amount, currency = 'USD' }: Values): string =>
  `${product} costs ${amount} ${currency} in funnels at the test store, unless the product has a price of its own.`

const CODE = /^[A-Z0-9_-]{1,50}$/

/** Sets what a promotion code takes off in funnels at the test store, or ends it with `--off`. */
export async function promotion(project: ProjectApi, io: Output, values: Values): Promise<number> {
  const code = values.code?.toUpperCase() ?? ''
  const isEnding = values.off === true
  if (!CODE.test(code) || isEnding === (values.percent !== undefined))
    throw new UsageError('simulate promotion needs --code of letters, digits, - and _, and either --percent or --off')
  const body = { action: 'promotion', code, percentOff: isEnding ? null : toPercent(values.percent) }
  const { percentOff } = await project.call('POST', PATH, { data: CodeAnswer, body })
  const told = percentOff === null ? `${code} takes nothing off any more.` : `${code} takes ${percentOff} % off.`
  io.out(values.json ? JSON.stringify({ code, percentOff }) : `${told} It counts in funnels at the test store.`)
  return 0
}

/** A payment that takes days comes in, or fails with `--fail`. */
export async function settle(project: ProjectApi, io: Output, values: Values): Promise<number> {
  if (values.payment === undefined) throw new UsageError('simulate settle needs --payment')
  const body = { action: 'settle', payment: values.payment, failed: values.fail }
  return report(io, values.json, await order(project, body))
}
