import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { integerAt, listAnswer, listQuery, readCursor, toList } from '../../base/http/list'
import { factsOf } from '../../base/http/request'
import { operator } from '../../projects/doors/operator'
import { PersonParams } from '../subscribers/operator-wire'
import { getSubscriber, pageTransfers } from '../subscribers/service'
import { OperatorTransferAnswer, OperatorTransferBody, TransferItem, toTransferItem } from './operator-wire'
import { transfer } from './transfer'
import { IDEMPOTENCY, keptTransfer, keptUndo, renderTransfer, renderUndo } from './transfer-replay'
import { toTransferView, toUndoView, UndoAnswer, UndoBody } from './transfer-wire'
import { undoTransfer } from './undo'

const tags = ['People']
const strict = { additionalProperties: false } as const

/** Moving what one person has to another, by people of the dashboard. */
export const transferOperatorRoutes = (ctx: Context) => new Elysia().use(transferRoutes(ctx)).use(transferList(ctx))

const transferRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:write', idempotency: IDEMPOTENCY })
    .post(
      '/subscribers/:id/transfer',
      async ({ project, params, body, request, actor, replayed }) => {
        const kept = keptTransfer(replayed)
        if (kept) return { data: await renderTransfer(ctx, project, kept) }
        const { toSubscriberId, dryRun = false, purchaseIds = null } = body
        // A label may look like an id without a row, so both ids must be those of rows.
        for (const id of [params.id, toSubscriberId]) await getSubscriber(ctx, project.id, id)
        const order = {
          fromReference: params.id,
          toReference: toSubscriberId,
          purchaseIds: purchaseIds && [...new Set(purchaseIds)],
          isDryRun: dryRun,
          requestId: factsOf(request).id,
          actor,
        }
        const done = await transfer(ctx, project, { projectId: project.id, presented: 'secret' }, order)
        return { data: { ...toTransferView(project, done, dryRun, ctx.clock.now()), ...done.effects } }
      },
      {
        params: PersonParams,
        body: OperatorTransferBody,
        response: OperatorTransferAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'SUBSCRIBER_UNRESOLVABLE'],
          summary: 'Move a subscriber or single purchases to another subscriber',
          description:
            'Without purchaseIds the source is merged into the target. It can be undone for 30 days. dryRun writes nothing, and also answers the balances before and after and the types of the events.',
          operationId: 'transferSubscriberByOperator',
        },
      },
    )
    .post(
      '/transfers/:id/undo',
      async ({ project, params, request, actor, replayed }) => {
        const kept = keptUndo(replayed)
        if (kept) return { data: await renderUndo(ctx, project, kept) }
        const undone = await undoTransfer(ctx, project, params.id, { requestId: factsOf(request).id, actor })
        return { data: toUndoView(project, undone, ctx.clock.now()) }
      },
      {
        params: PersonParams,
        body: UndoBody,
        response: UndoAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'SUBSCRIBER_UNRESOLVABLE'],
          summary: 'Undo a transfer',
          description: 'Moves back exactly what moved. Of virtual currency, no more than the balance holds.',
          operationId: 'undoTransferByOperator',
        },
      },
    )

const TransferQuery = Type.Object(listQuery, strict)

const transferList = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:write' }).get(
    '/transfers',
    async ({ project, query: { limit = 50, cursor } }) => {
      const scope = ['transfers', project.id]
      const after = readCursor(cursor, scope, 2)
      const before = after && ([integerAt(after, 0), String(after[1])] as const)
      const rows = await pageTransfers(ctx, project.id, before, limit + 1)
      const now = ctx.clock.now()
      const toItem = (row: (typeof rows)[number]) => toTransferItem(row, now)
      return { data: toList(rows, limit, scope, { positionOf: (row) => [row.createdAt, row.id], toItem }) }
    },
    {
      query: TransferQuery,
      response: listAnswer(TransferItem),
      detail: {
        tags,
        summary: 'Transfers between subscribers',
        description: 'Merges and moves of every cause, newest first.',
        operationId: 'listTransfers',
      },
    },
  )
