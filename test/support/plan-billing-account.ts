import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { NOW } from './context'
import { type BillingStage, billingStage, signed, WEBHOOK_SECRET } from './plan-billing'

export const PRICED_PLANS = JSON.stringify(
  DEFAULT_PLANS.map((plan) => (plan.monthly ? { ...plan, priceId: `price_${plan.tier}` } : plan)),
)

export const ACCOUNT_KEYS = {
  SVC_BILLING_SECRET_KEY: 'sk_test_1',
  SVC_BILLING_PUBLISHABLE_KEY: 'pk_test_1',
  SVC_BILLING_WEBHOOK_SECRET: WEBHOOK_SECRET,
  SVC_BILLING_PLANS: PRICED_PLANS,
}

export interface AccountCall {
  /** `POST /customers`, without the version of the address. */
  call: string
  form: Record<string, string>
  query: Record<string, string>
  key: string | null
  headers: Headers
}

/** An answer that is no success. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly error: object | string = { type: 'invalid_request_error', code: 'resource_missing' },
    readonly headers: Record<string, string> = {},
  ) {}
}

type Answer = object | Refusal | ((call: AccountCall) => object | Refusal | Promise<object>)

/** A stand-in for the operator's own account at the provider, which records what it is sent. */
export interface BillingAccountServer {
  url: string
  /** By method and path; what is not there is unknown to the provider. */
  answers: Record<string, Answer>
  calls: AccountCall[]
  called(): string[]
  last(call: string): AccountCall | undefined
  close(): Promise<void>
}

export function startBillingAccount(): BillingAccountServer {
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const call = await read(request)
      server.calls.push(call)
      const known = server.answers[call.call]
      const answer = typeof known === 'function' ? await known(call) : (known ?? new Refusal(404))
      return answer instanceof Refusal ? refused(answer) : Response.json(answer, { headers: NAMED })
    },
  })
  const server: BillingAccountServer = {
    url: `http://127.0.0.1:${listener.port}`,
    answers: {},
    calls: [],
    called: () => server.calls.map(({ call }) => call),
    last: (call) => server.calls.findLast((one) => one.call === call),
    close: () => listener.stop(true),
  }
  return server
}

const NAMED = { 'request-id': 'req_1' }

async function read(request: Request): Promise<AccountCall> {
  const { pathname, searchParams } = new URL(request.url)
  return {
    call: `${request.method} ${pathname.slice('/v1'.length)}`,
    form: Object.fromEntries(new URLSearchParams(await request.text())),
    query: Object.fromEntries(searchParams),
    key: request.headers.get('idempotency-key'),
    headers: request.headers,
  }
}

const refused = ({ status, error, headers }: Refusal): Response =>
  typeof error === 'string'
    ? new Response(error, { status, headers })
    : Response.json({ error: { message: 'Refused.', ...error } }, { status, headers: { ...NAMED, ...headers } })

export const listOf = (data: object[], has_more = false) => ({ object: 'list', data, has_more })

export const subscriptionAs = (more: object = {}) => ({
  ...{ id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'incomplete', created: NOW / SECOND },
  ...{ cancel_at: null, cancel_at_period_end: false, metadata: {}, pending_setup_intent: null },
  default_payment_method: null,
  items: listOf([{ id: 'si_1', price: { id: 'price_INDIE' }, current_period_end: PERIOD_END / SECOND }]),
  latest_invoice: { id: 'in_1', object: 'invoice', status: 'open', confirmation_secret: SECRET },
  ...more,
})

export const PERIOD_END = NOW + 30 * DAY
const SECRET = { client_secret: 'pi_1_secret_1', type: 'payment_intent' }

/** A subscription to a plan, with the price of it. */
export const itemsOf = (price: string) =>
  listOf([{ id: 'si_1', price: { id: price }, current_period_end: PERIOD_END / SECOND }])

export const cardAs = (id: string, last4 = '4242') => ({
  ...{ id, object: 'payment_method', type: 'card' },
  card: { brand: 'visa', last4, exp_month: 12, exp_year: 2030 },
})

export const invoiceAs = (id: string, more: object = {}) => ({
  ...{ id, object: 'invoice', customer: 'cus_1', number: `SVC-${id}`, status: 'open', total: 2900, currency: 'usd' },
  ...{ amount_due: 2900, created: NOW / SECOND, invoice_pdf: `https://provider.example/${id}.pdf` },
  lines: listOf([lineAs('INDIE', 2900)]),
  confirmation_secret: SECRET,
  ...more,
})

export const lineAs = (description: string | null, amount: number, more: object = {}) => ({
  ...{ id: `il_${amount}`, object: 'line_item', description, amount, currency: 'usd', quantity: 1 },
  period: { start: NOW / SECOND, end: PERIOD_END / SECOND },
  ...more,
})

export const customerAs = (card: string | null = null) => ({
  ...{ id: 'cus_1', object: 'customer', invoice_settings: { default_payment_method: card } },
})

export const DECLINED = new Refusal(402, {
  ...{ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' },
})
export const AUTHENTICATE = new Refusal(402, {
  ...{ type: 'invalid_request_error', code: 'invoice_payment_intent_requires_action' },
})
export const BROKEN = new Refusal(500, { type: 'api_error' })

/** What a provider answers that has a customer, and one card of it. */
export const START = (): BillingAccountServer['answers'] => ({
  'POST /customers': customerAs(),
  'GET /customers/cus_1': customerAs('pm_1'),
  'POST /customers/cus_1': customerAs('pm_1'),
  'GET /payment_methods': listOf([cardAs('pm_1')]),
  'GET /subscriptions': listOf([]),
  'POST /subscriptions': subscriptionAs(),
})

export interface AccountStage {
  b: BillingStage
  account: BillingAccountServer
  /** Sends a signed event about the subscription. */
  report(id: string, more?: object, type?: string): Promise<{ status: number; body: Record<string, unknown> }>
  close(): Promise<void>
}

/** A deployment that charges through an account of its own, which is the stand-in. */
export async function accountStage(env: Record<string, string> = {}): Promise<AccountStage> {
  const account = startBillingAccount()
  const b = await billingStage({ ...ACCOUNT_KEYS, SVC_PAYMENT_API_URL: account.url, ...env })
  return {
    ...{ b, account },
    report: (id, more = { status: 'active' }, type = 'updated') => {
      const created = Math.floor(b.s.ctx.clock.now() / SECOND)
      const text = JSON.stringify({
        ...{ id, object: 'event', type: `customer.subscription.${type}`, created, livemode: false },
        data: { object: subscriptionAs(more) },
      })
      return b.s.call('POST', '/billing/webhook', { key: null, raw: text, headers: signed(text, created) })
    },
    close: async () => {
      await b.close()
      await account.close()
    },
  }
}
