import type { Context } from '../../base/context'
import { factsOf } from '../../base/http/request'
import { api } from '../../projects/doors/api'
import { transfer } from './transfer'
import { IDEMPOTENCY, keptTransfer, keptUndo, renderTransfer, renderUndo } from './transfer-replay'
import {
  TransferAnswer,
  TransferBody,
  toTransferView,
  toUndoView,
  UndoAnswer,
  UndoBody,
  UndoParams,
} from './transfer-wire'
import { undoTransfer } from './undo'

const tags = ['Subscribers']

/** Transfers between subscribers, and their undo. For the customer's server. */
export const transferRoutes = (ctx: Context) =>
  api(ctx, { key: 'secret', idempotency: IDEMPOTENCY })
    .post(
      '/subscribers/transfer',
      async ({ project, key, body, request, replayed }) => {
        const kept = keptTransfer(replayed)
        if (kept) return { data: await renderTransfer(ctx, project, kept) }
        const { fromAppUserId: fromReference, toAppUserId: toReference, dryRun: isDryRun = false } = body
        const purchaseIds = body.purchaseIds ? [...new Set(body.purchaseIds)] : null
        const order = { fromReference, toReference, purchaseIds, isDryRun, requestId: factsOf(request).id, actor: null }
        const done = await transfer(ctx, project, key, order)
        return { data: toTransferView(project, done, isDryRun, ctx.clock.now()) }
      },
      {
        body: TransferBody,
        response: TransferAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'SUBSCRIBER_UNRESOLVABLE'],
          summary: 'Move a subscriber or single purchases',
          description:
            'Without purchaseIds the source is merged into the target. dryRun answers the same and writes nothing. Resolves RECEIPT_IN_USE.',
          operationId: 'transferSubscriber',
        },
      },
    )
    .post(
      '/subscribers/transfer/:id/undo',
      async ({ project, params, request, replayed }) => {
        const kept = keptUndo(replayed)
        if (kept) return { data: await renderUndo(ctx, project, kept) }
        const undone = await undoTransfer(ctx, project, params.id, { requestId: factsOf(request).id, actor: null })
        return { data: toUndoView(project, undone, ctx.clock.now()) }
      },
      {
        params: UndoParams,
        body: UndoBody,
        response: UndoAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'SUBSCRIBER_UNRESOLVABLE'],
          summary: 'Undo a transfer',
          description:
            'Moves back exactly what moved, for 30 days. Merges by identify and moves by a receipt can be undone as well.',
          operationId: 'undoTransfer',
        },
      },
    )
