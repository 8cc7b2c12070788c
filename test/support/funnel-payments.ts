import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../../src/base/lib/hash'
import type { Answer, Stage } from './cast'
import { dataOf } from './operator'
import { staff } from './staff'

/** A published funnel that ends with a payment. */
export interface PaidFunnel {
  id: string
  slug: string
}

const page = (id: string, type: string, to: string | null) => ({
  id,
  type,
  title: { en: id },
  next: { rules: [], default: to },
})

/** Publishes a funnel that sells the monthly and the yearly product, and 100 coins. */
export async function publishPaidFunnel(s: Stage, more: object = {}): Promise<PaidFunnel> {
  const dev = staff(s).as('DEVELOPER')
  const products = (await dataOf(dev.get('/products?limit=200'))).items
  const packageOf = (identifier: string, product: string) => ({
    identifier,
    productId: products.find((one: { identifier: string }) => one.identifier === product).id,
  })
  const sold = [packageOf('monthly', 'pro_monthly'), packageOf('yearly', 'pro_yearly'), packageOf('coins', 'coins_100')]
  await dataOf(dev.post('/offerings', { identifier: 'web', packages: sold }))
  const pages = [page('hello', 'info', 'pay'), page('pay', 'payment', 'done'), page('done', 'success', null)]
  const made = await dataOf(
    dev.post('/funnels', { slug: 'sleep', name: 'Sleep', pages, settings: { offering: 'web' }, ...more }),
  )
  await dataOf(dev.post(`/funnels/${made.id}/publish`, {}))
  return { id: made.id, slug: made.slug }
}

/** A visitor who has reached the payment page. */
export interface Visitor {
  sessionId: string
  secret: string
  /** Posts to a path of the session. */
  post(path: string, body: object): Promise<Answer>
  /** Begins to pay a package; returns the data. */
  begin(packageIdentifier?: string, more?: object): Promise<Answer>
  /** What the visitor does on the sheet of the test store. */
  attempt(paymentId: string, outcome: string): Promise<Answer>
  confirm(paymentId: string): Promise<Answer>
}

/**
 * Puts a visitor on the payment page. The session is written directly, so that each test begins there without the calls
 * before it.
 */
export async function visitorAtPayment(s: Stage, funnel: PaidFunnel): Promise<Visitor> {
  const secret = `svc_fst_${randomBytes(40).toString('hex').slice(0, 43)}`
  const sessionId = s.ctx.ids.next('fse')
  const now = s.ctx.clock.now()
  const blank = { utm: {}, query: {}, referrer: null, country: null, visitorId: null, placement: null }
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.funnelSessions).values({
      ...{ id: sessionId, projectId: s.project.id, funnelId: funnel.id, versionNo: 1, state: 'IN_PROGRESS' as const },
      ...{ path: ['hello', 'pay'], locale: 'en', secretHash: sha256Hex(secret), ...blank, device: 'desktop' },
      ...{ experimentId: null, variantId: null, subscriberId: null, startedAt: now, activeAt: now },
      ...{ paidAt: null, completedAt: null, leaseFence: 0, leaseHolder: null, leaseUntil: null },
    }),
  )
  const post = (path: string, body: object) =>
    s.call('POST', `/public/funnel-sessions/${sessionId}/${path}`, {
      ...{ key: null, body, headers: { 'x-svc-funnel-session': secret } },
    })
  return {
    ...{ sessionId, secret, post },
    begin: (package_identifier = 'monthly', more = {}) =>
      post('payment-intent', { package_identifier, page_id: 'pay', email: 'Ada@Example.com', ...more }),
    attempt: (payment_id, outcome) => post('test-payment', { payment_id, outcome }),
    confirm: (payment_id) => post('confirm', { payment_id }),
  }
}

/** All that a payment of a session has made, as the tables have it: no call shows another session's rows. */
export async function madeIn(s: Stage, { sessionId }: Visitor) {
  const { funnelPayments, funnelSessions, funnelTokens, purchases, events } = s.ctx.tables
  const payments = (await s.ctx.db.select().from(funnelPayments)).filter((one) => one.sessionId === sessionId)
  const ids = payments.map(({ purchaseId }) => purchaseId)
  return {
    payments,
    session: (await s.ctx.db.select().from(funnelSessions)).find(({ id }) => id === sessionId),
    tokens: (await s.ctx.db.select().from(funnelTokens)).filter((one) => one.sessionId === sessionId),
    purchases: (await s.ctx.db.select().from(purchases)).filter(({ id }) => ids.includes(id)),
    paid: (await s.ctx.db.select().from(events)).filter(
      ({ type, data }) => type === 'funnel.paid' && (data as { sessionId?: string }).sessionId === sessionId,
    ),
  }
}
