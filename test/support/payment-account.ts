import type Stripe from 'stripe'
import { toPrice } from '../../src/test-store/stores/payment-billing-objects'

interface Recorded {
  method: string
  path: string
  query: Record<string, string>
  form: Record<string, string>
  authorization: string | null
  account: string | null
}

/** A stand-in for the provider: prices and accounts of its API, and the OAuth routes of its other host. */
export interface AccountServer {
  url: string
  prices: Stripe.Price[]
  /** Keys that the provider accepts, each with what it may do. */
  keys: Map<string, 'ALL' | 'NOTHING'>
  /** Accounts by id, and whether each may charge. */
  accounts: Map<string, boolean>
  /** Codes that were not used yet, with the account of the person who came back. */
  codes: Map<string, { account: string; livemode: boolean }>
  /** Answers with this status and does nothing else. */
  trouble: { status: number; asked?: RegExp; text?: string } | null
  requests: Recorded[]
  close(): Promise<void>
}

const PRODUCT = {
  object: 'product',
  active: true,
  created: 1_700_000_000,
  default_price: null,
  description: null,
  images: [] as string[],
  livemode: false,
  marketing_features: [] as Stripe.Product.MarketingFeature[],
  metadata: {},
  package_dimensions: null,
  shippable: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  updated: 1_700_000_000,
  url: null,
} as const

/** A price with its product, as the provider gives it when it is asked to expand the product. */
export function soldAs(
  id: string,
  name: string,
  {
    interval = null,
    count = 1,
    ...members
  }: { interval?: 'month' | 'year' | null; count?: number } & Partial<Stripe.Price> = {},
): Stripe.Price {
  const product = { ...PRODUCT, id: `prod_${id}`, name } satisfies Stripe.Product
  const price = toPrice({
    id,
    created: 1_700_000_000,
    currency: 'usd',
    product: product.id,
    unit_amount: 999,
    interval,
  })
  const recurring = price.recurring && { ...price.recurring, interval_count: count }
  return { ...price, recurring, product, ...members } satisfies Stripe.Price
}

export function startAccountServer(): AccountServer {
  const listener = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => serve(server, request) })
  const server: AccountServer = {
    url: `http://127.0.0.1:${listener.port}`,
    prices: [],
    keys: new Map(),
    accounts: new Map(),
    codes: new Map(),
    trouble: null,
    requests: [],
    close: () => listener.stop(true),
  }
  return server
}

async function serve(server: AccountServer, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const { headers, method } = request
  const recorded: Recorded = {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    form: Object.fromEntries(new URLSearchParams(await request.text())),
    authorization: headers.get('authorization'),
    account: headers.get('stripe-account'),
  }
  server.requests.push(recorded)
  const { trouble } = server
  if (trouble && (trouble.asked?.test(`${method} ${pathname}`) ?? true))
    return trouble.text === undefined
      ? failure(trouble.status, 'simulated')
      : new Response(trouble.text, { status: trouble.status, headers: { 'content-type': 'application/json' } })
  const rights = server.keys.get(recorded.authorization?.slice('Bearer '.length) ?? '')
  if (pathname.startsWith('/oauth/')) return rights ? oauth(server, recorded) : oauthFailure(401, 'invalid_client')
  if (!rights) return failure(401, 'api_key_invalid')
  if (rights === 'NOTHING') return failure(403, 'more_permissions_required')
  return api(server, recorded)
}

const failure = (status: number, code: string): Response =>
  Response.json({ error: { type: 'invalid_request_error', code, message: 'Refused.' } }, { status })

const oauthFailure = (status: number, error: string): Response =>
  Response.json({ error, error_description: 'Refused.' }, { status })

function api({ prices, accounts }: AccountServer, { path, query }: Recorded): Response {
  const [, kind, id] = /^\/v1\/(prices|accounts)(?:\/([^/]+))?$/.exec(path) ?? []
  if (kind === 'accounts') {
    const mayCharge = accounts.get(id ?? '')
    if (mayCharge === undefined) return failure(404, 'resource_missing')
    return Response.json({
      id: id ?? '',
      object: 'account',
      charges_enabled: mayCharge,
    } satisfies Partial<Stripe.Account>)
  }
  if (kind !== 'prices') return failure(404, 'unknown_route')
  if (id !== undefined) {
    const price = prices.find((one) => one.id === id)
    return price ? Response.json(price) : failure(404, 'resource_missing')
  }
  const from = query.starting_after ? prices.findIndex((one) => one.id === query.starting_after) + 1 : 0
  const to = from + Number(query.limit ?? 10)
  const isExpanded = query['expand[0]'] === 'data.product'
  const data = prices.slice(from, to).map((price) => (isExpanded ? price : { ...price, product: productId(price) }))
  return Response.json({ object: 'list', url: '/v1/prices', data, has_more: to < prices.length })
}

const productId = ({ product }: Stripe.Price): string => (typeof product === 'string' ? product : product.id)

function oauth({ codes, accounts }: AccountServer, { path, form }: Recorded): Response {
  if (path === '/oauth/token') {
    const code = codes.get(form.code ?? '')
    if (!code || form.grant_type !== 'authorization_code') return oauthFailure(400, 'invalid_grant')
    codes.delete(form.code ?? '')
    accounts.set(code.account, true)
    const token = { stripe_user_id: code.account, livemode: code.livemode, scope: 'read_write' }
    return Response.json({ ...token, token_type: 'bearer' } satisfies Partial<Stripe.OAuthToken>)
  }
  const account = form.stripe_user_id ?? ''
  if (!accounts.delete(account)) return oauthFailure(401, 'invalid_client')
  return Response.json({ stripe_user_id: account } satisfies Stripe.OAuthDeauthorization)
}
