import { parseArgs } from 'node:util'
import { findIosProduct, type Product } from '../catalog/snapshot'
import type { Context } from '../context'
import type { ProjectState } from '../projects/state'
import { type ReceiptResult, submitIosReceipt } from '../purchases/receipt'
import type { SimulatedProduct, StoreKitType } from '../stores/simulator/ios'
import { type SimulatedReceipt, simulatePurchase, simulateTurn, type Turn } from '../stores/simulator/lives'
import { type Command, CommandFailure, type Io, UsageError } from './command'
import { withContext } from './context'
import { requireProject } from './lookup'

const options = {
  project: { type: 'string' },
  device: { type: 'string' },
  product: { type: 'string' },
  price: { type: 'string' },
  currency: { type: 'string' },
  trial: { type: 'boolean' },
  print: { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

export const simulateCommand: Command = {
  name: 'simulate',
  summary: 'buy, renew, refund or end a purchase at the built-in test store',
  help: `
svc simulate purchase --device KEY --product ID [--trial] [--price 9.99] [--currency USD]
svc simulate renew|refund|expire --device KEY [--product ID]   the device's newest purchase there

The test store signs real-shaped Sandbox transactions with a root of this deployment. The receipt is verified and
recorded as if the app had posted it; with --print it is only signed, and its request body is printed for curl.
Options: --project P (slug or id; needless with one project), --print, --data DIR, --json

Example: svc simulate purchase --project sleep-app --device svc_test_1 --product pro_monthly`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const action = toAction(positionals[0])
    if (values.device === undefined) throw new UsageError(`simulate ${action} needs --device`)
    const { device } = values
    return withContext(io, values, async (ctx) => {
      if (!ctx.config.isSimulatorOn) throw new CommandFailure('The simulator is switched off (SVC_SIMULATOR=off).')
      const project = await ctx.projects.get((await requireProject(ctx, values.project)).id)
      const signed = await sign(ctx, project, action, device, values)
      if (values.print) {
        io.out(requestBody(signed, device))
        return 0
      }
      return report(io, values, signed, await submit(ctx, project, signed, device))
    })
  },
}

type Action = 'purchase' | Turn

function toAction(word: string | undefined): Action {
  if (word === 'purchase' || word === 'renew' || word === 'refund' || word === 'expire') return word
  throw new UsageError('simulate takes purchase, renew, refund or expire')
}

async function sign(
  ctx: Context,
  project: ProjectState,
  action: Action,
  deviceKey: string,
  values: Values,
): Promise<SimulatedReceipt> {
  const productOf = (id: string) => toSimulated(findProduct(project, id), values)
  const place = { projectId: project.id, deviceKey }
  if (action === 'purchase') {
    if (values.product === undefined) throw new UsageError('simulate purchase needs --product')
    const order = {
      ...place,
      bundleId: bundleIdOf(project),
      product: productOf(values.product),
      withTrial: values.trial ?? false,
    }
    return simulatePurchase(ctx, order)
  }
  const storeProductId = values.product === undefined ? null : productOf(values.product).productId
  const signed = await simulateTurn(ctx, action, { ...place, storeProductId, productOf })
  if (!signed)
    throw new CommandFailure(
      `The test store has sold ${deviceKey} nothing of the kind; begin with: svc simulate purchase`,
    )
  return signed
}

function bundleIdOf({ ios }: ProjectState): string {
  if (!ios) throw new CommandFailure('The project has no iOS bundle id; set stores.ios.bundleId with svc apply.')
  return ios.bundleId
}

function findProduct({ catalog }: ProjectState, id: string): Product {
  const product = findIosProduct(catalog, id)
  if (!product) throw new CommandFailure(`The project has no product "${id}"; add it with svc apply.`)
  return product
}

const STORE_KIT_TYPES: Record<Product['type'], StoreKitType> = {
  SUBSCRIPTION: 'Auto-Renewable Subscription',
  CONSUMABLE: 'Consumable',
  NON_CONSUMABLE: 'Non-Consumable',
}

const DEFAULT_PERIOD = 'P1M'
const TRIAL_PERIOD = 'P1W'

function toSimulated({ iosId, identifier, type, period }: Product, { price, currency }: Values): SimulatedProduct {
  return {
    productId: iosId ?? identifier,
    type: STORE_KIT_TYPES[type],
    period: type === 'SUBSCRIPTION' ? (period ?? DEFAULT_PERIOD) : null,
    price: toThousandths(price ?? '9.99'),
    currency: toCurrency(currency ?? 'USD'),
    trialPeriod: TRIAL_PERIOD,
  }
}

function toThousandths(text: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text)) throw new UsageError(`--price is an amount such as 9.99, not "${text}"`)
  return Math.round(Number(text) * 1000)
}

function toCurrency(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new UsageError(`--currency is an ISO 4217 code such as USD, not "${text}"`)
  return text
}

const requestBody = ({ receipt, payload }: SimulatedReceipt, appUserId: string): string =>
  JSON.stringify({ receipt, appUserId, productId: payload.productId })

/** Records the receipt as the route does when the app posts it. */
function submit(
  ctx: Context,
  project: ProjectState,
  { receipt, payload }: SimulatedReceipt,
  deviceKey: string,
): Promise<ReceiptResult> {
  const input = {
    receipt,
    deviceKey,
    productId: payload.productId,
    presentedContext: null,
    appAccountToken: null,
    platform: null,
    requestId: ctx.ids.next('req'),
  }
  return submitIosReceipt(ctx, project, { presented: 'public' }, input)
}

function report(
  io: Io,
  { json }: Values,
  { payload }: SimulatedReceipt,
  { subscriber, access, balances }: ReceiptResult,
): number {
  const { transactionId, originalTransactionId } = payload
  if (json)
    io.out(
      JSON.stringify({
        transactionId,
        originalTransactionId,
        subscriberId: subscriber.id,
        access,
        virtualCurrencyBalances: balances,
      }),
    )
  else
    io.out(
      [`transaction  ${transactionId}`, `subscriber   ${subscriber.id}`, `access       ${describeAccess(access)}`].join(
        '\n',
      ),
    )
  return 0
}

const describeAccess = (access: ReceiptResult['access']): string =>
  Object.entries(access)
    .map(([name, { expiresDate }]) => `${name} until ${expiresDate ?? 'for ever'}`)
    .join(', ') || 'none'

/** One monthly-priced purchase at the test store, recorded: what the demo begins with. */
export async function recordPurchase(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  productId: string,
): Promise<void> {
  const project = await ctx.projects.get(projectId)
  await submit(ctx, project, await sign(ctx, project, 'purchase', deviceKey, { product: productId }), deviceKey)
}

/** A purchase at the test store that is only signed: the request body for curl. */
export async function orderBody(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  productId: string,
): Promise<string> {
  const project = await ctx.projects.get(projectId)
  return requestBody(await sign(ctx, project, 'purchase', deviceKey, { product: productId }), deviceKey)
}
