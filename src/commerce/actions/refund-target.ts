import { type Static, Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import { PurchaseViewSchema, TransactionView } from '../../people/purchases/wire'
import { requireProject } from '../../projects/project/lookup'
import { CLI_ORIGIN } from './actor'
import type { RefundReference } from './refundable'
import { previewRefund, refundPurchase } from './refunds'
import { toRefundView } from './wire'

/** A newer server may answer more. */
const LENIENT = { additionalProperties: true }

const Refund = Type.Object({
  purchase: Type.Omit(PurchaseViewSchema, [], LENIENT),
  transaction: Type.Omit(TransactionView, [], LENIENT),
  /** A server of an earlier release does not name them. */
  purchaseIds: Type.Optional(Type.Array(Type.String())),
})
const RefundPreview = Type.Object({ result: Refund })

/** What a refund answers. */
export type Refund = Static<typeof Refund>

type Order = RefundReference & { reason: string | null }

/** Refunds in the database of this machine, or on a server. */
export interface Refunds {
  /** What the refund would answer. The store is not called. */
  preview(order: Order): Promise<Refund>
  refund(order: Order): Promise<Refund>
}

export async function localRefunds(ctx: Context, ref: string | undefined): Promise<Refunds> {
  const project = await ctx.state.projects.get((await requireProject(ctx, ref)).id)
  return {
    async preview(order) {
      const { result } = await previewRefund(ctx, project, { ...order, origin: CLI_ORIGIN })
      return toRefundView(project, result, ctx.clock.now())
    },
    async refund(order) {
      const refunded = await refundPurchase(ctx, project, { ...order, origin: CLI_ORIGIN })
      return toRefundView(project, refunded, ctx.clock.now())
    },
  }
}

export async function remoteRefunds(remote: Remote, ref: string | undefined): Promise<Refunds> {
  const project = await requireRemoteProject(remote, ref)
  const pathTo = (order: Order): string =>
    'purchaseId' in order
      ? pathOf(project, 'subscriptions', order.purchaseId, 'refund')
      : pathOf(project, 'transactions', order.transactionId, 'refund')
  const bodyOf = ({ reason, wholeOrder = false }: Order) => ({
    ...(reason !== null && { reason }),
    ...(wholeOrder && { wholeOrder }),
  })
  return {
    async preview(order) {
      const body = { ...bodyOf(order), dryRun: true }
      return (await remote.call('POST', pathTo(order), { data: RefundPreview, body })).result
    },
    refund: (order) => remote.call('POST', pathTo(order), { data: Refund, body: bodyOf(order) }),
  }
}
