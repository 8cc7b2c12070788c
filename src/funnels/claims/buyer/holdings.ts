import type { Context } from '../../../base/context'
import { isOver } from '../../../core/purchase/status'
import { findPurchases, type PurchaseRow } from '../../../people/purchases/holdings'
import { statusAt, willRenew } from '../../../people/purchases/status'
import type { ProjectState } from '../../../projects/project/state'
import { productName } from '../app-mail'
import { type PaidSession, paidSessionsOf } from '../paid'
import type { Buyer } from './visit'

/** What happens next with a purchase. */
type Standing =
  | { kind: 'renews'; at: number; price: { amountMicros: number; currency: string } | null }
  | { kind: 'ends'; at: number }
  | { kind: 'forever' | 'ended' }

/** A purchase as its buyer sees it. */
export interface Bought {
  paid: PaidSession
  purchase: PurchaseRow | null
  name: string
  boughtAt: number
  standing: Standing
  supportEmail: string | null
}

/** What the buyer has bought in the project, newest first. */
export async function listBought(ctx: Context, project: ProjectState, { emailHash }: Buyer): Promise<Bought[]> {
  const all: Bought[] = []
  for (const paid of await paidSessionsOf(ctx, project.id, emailHash)) {
    const { session, payment } = paid
    const [purchase = null] = payment.purchaseId ? await findPurchases(ctx, project.id, [payment.purchaseId]) : []
    const document = await ctx.state.funnelDocuments.get(ctx, session.funnelId, session.versionNo)
    all.push({
      paid,
      purchase,
      name: productName(project, payment.productId),
      boughtAt: payment.paidAt ?? 0,
      standing: purchase ? standingOf(purchase, ctx.clock.now()) : { kind: 'forever' },
      supportEmail: document?.settings.supportEmail ?? null,
    })
  }
  return all
}

function standingOf({ fold }: PurchaseRow, now: number): Standing {
  const { status, productType, expiresAt } = statusAt(fold, now)
  if (isOver(status) && !willRenew(fold, now)) return { kind: 'ended' }
  if (productType !== 'SUBSCRIPTION' || expiresAt === null) return { kind: 'forever' }
  if (!fold.autoRenews) return { kind: 'ends', at: expiresAt }
  return { kind: 'renews', at: expiresAt, price: fold.priceAfter?.price ?? fold.recurring?.price ?? fold.price }
}
