import { desc, eq } from 'drizzle-orm'
import { sha256Hex } from '../../src/base/lib/hash'
import type { ClaimProof } from '../../src/funnels/claims/model'
import { issueToken } from '../../src/funnels/claims/service'
import { sealed } from '../../src/funnels/payments/email'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { dataOf } from './operator'
import { type PaymentStage, paymentStage } from './payment'
import { type StaffCalls, staff } from './staff'

/** A stage with a published funnel; what is paid in it is written as rows, with a real purchase at the provider. */
export interface FunnelStage extends PaymentStage {
  dev: StaffCalls
  funnelId: string
}

const FIELDS = [
  {
    id: 'goal',
    kind: 'single',
    attribute: 'goal',
    options: ['sleep', 'focus'].map((id) => ({ id, label: { en: id } })),
  },
  { id: 'days', kind: 'multi', attribute: 'days', options: ['mon', 'tue'].map((id) => ({ id, label: { en: id } })) },
  { id: 'age', kind: 'number', attribute: 'age' },
  { id: 'secret', kind: 'text', attribute: 'secret', sensitive: true },
  { id: 'mail', kind: 'text', attribute: 'k'.repeat(41) },
]
const PAGES = [
  { id: 'ask', type: 'question', title: { en: 'Goal?' }, fields: FIELDS, next: { default: 'end' } },
  { id: 'end', type: 'success', title: { en: 'Done' } },
]

export async function funnelStage(options: Parameters<typeof paymentStage>[0] = {}): Promise<FunnelStage> {
  const s = await paymentStage(options)
  const dev = staff(s).as('DEVELOPER')
  const body = { slug: 'quiz', name: 'Sleep quiz', pages: PAGES, settings: { supportEmail: 'help@example.com' } }
  const { id } = await dataOf(dev.post('/funnels', body))
  await dataOf(dev.post(`/funnels/${id}/publish`, {}))
  return Object.assign(s, { dev, funnelId: id })
}

interface Sale {
  email?: string
  answers?: Record<string, unknown>
  priceId?: 'price_monthly' | 'price_yearly'
  isPaid?: boolean
  /** The version of the funnel. */
  versionNo?: number
  /** The variant that the visitor was shown. */
  shown?: { experimentId: string; variantId: string }
}

export interface Sold {
  sessionId: string
  token: string
  purchaseId: string
  buyerId: string
}

/** A session that has paid, with a synthetic buyer, its purchase, and a token. */
export async function sell(
  s: FunnelStage,
  {
    email = 'buyer@example.com',
    answers = {},
    priceId = 'price_monthly',
    isPaid = true,
    versionNo = 1,
    shown,
  }: Sale = {},
): Promise<Sold> {
  const { customer } = subscribe(s.world, { priceId, metadata: {} })
  await s.deliverAll()
  const { purchases: p } = s.ctx.tables
  const [purchase] = await s.ctx.db.select().from(p).orderBy(desc(p.id)).limit(1)
  if (!purchase) throw new Error('nothing was bought')
  const { id: purchaseId, subscriberId: buyerId } = purchase
  const sessionId = await saveSession(s, { buyerId, isPaid, answers, versionNo, ...(shown && { shown }) })
  await savePayment(s, {
    sessionId,
    purchaseId,
    productId: purchase.productId ?? '',
    email,
    customerId: String(customer),
  })
  return { sessionId, purchaseId, buyerId, token: await tokenOf(s, sessionId) }
}

export const tokenOf = (s: FunnelStage, sessionId: string, proof: ClaimProof = 'PAID'): Promise<string> =>
  s.ctx.write((tx) => issueToken(tx, { projectId: s.project.id, sessionId }, proof))

interface Visit {
  buyerId: string
  isPaid: boolean
  answers: Record<string, unknown>
  versionNo: number
  shown?: { experimentId: string; variantId: string }
}

async function saveSession(
  { ctx, project, funnelId }: FunnelStage,
  { buyerId, isPaid, answers, versionNo, shown }: Visit,
) {
  const now = ctx.clock.now()
  const id = ctx.ids.next('fse')
  await ctx.write(async (tx) => {
    await tx.db.insert(tx.tables.funnelSessions).values({
      ...{ id, projectId: project.id, funnelId, versionNo, state: isPaid ? 'PAID' : 'IN_PROGRESS' },
      ...{ path: ['ask', 'end'], locale: 'en', secretHash: sha256Hex(id), query: {}, utm: {}, device: 'desktop' },
      ...{ subscriberId: isPaid ? buyerId : null, startedAt: now, activeAt: now, paidAt: isPaid ? now : null },
      leaseFence: 0,
      ...(shown && { visitorId: 'visitor_1', ...shown }),
    })
    const rows = Object.entries(answers).map(([fieldId, value]) => ({
      ...{ sessionId: id, fieldId, projectId: project.id, pageId: 'ask', value, isSealed: false, answeredAt: now },
    }))
    if (rows.length > 0) await tx.db.insert(tx.tables.funnelAnswers).values(rows)
  })
  return id
}

interface Payment {
  sessionId: string
  purchaseId: string
  productId: string
  email: string
  customerId: string
}

async function savePayment({ ctx, project }: FunnelStage, { email, customerId, ...payment }: Payment): Promise<void> {
  const now = ctx.clock.now()
  const id = ctx.ids.next('fpy')
  const { paidSessions: [payments] = [] } = ctx.hooks
  await ctx.write(async (tx) => {
    await tx.db.insert(tx.tables.funnelPayments).values({
      ...payment,
      ...{
        id,
        projectId: project.id,
        pageId: 'pay',
        provider: 'stripe',
        kind: 'payment',
      },
      ...{
        status: 'PAID',
        packageIdentifier: '$svc_monthly',
        amountMicros: 9_990_000,
        priceMicros: 9_990_000,
        currency: 'USD',
        fence: 1,
      },
      ...{ objects: { customerId, subscriptionId: null, intentId: null }, reference: payment.purchaseId },
      ...{ emailHash: payments?.emailHash(ctx, project.id, email) ?? null, email: sealed(ctx, id, email) },
      ...{ createdAt: now, expiresAt: now, paidAt: now },
    })
  })
}

/** The state of a session as it is stored. */
export async function sessionRow({ ctx }: FunnelStage, id: string) {
  const { funnelSessions: f } = ctx.tables
  const [row] = await ctx.db.select().from(f).where(eq(f.id, id))
  return row
}
