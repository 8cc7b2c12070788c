import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer, listQuery, readCursor, toList } from '../../base/http/list'
import { factsOf } from '../../base/http/request'
import { operator } from '../../projects/doors/operator'
import { PersonParams } from '../subscribers/operator-wire'
import { getPerson, getSubscriber } from '../subscribers/service'
import { postTransaction } from './post-transaction'
import { listEntries } from './queries'
import { CreditsAnswer, CreditsBody, LedgerEntrySchema, readTransaction, toCreditsView, toLedgerView } from './wire'

const tags = ['People']

/** The ledger of a person, and entries that people of the dashboard book by hand. */
export const currencyOperatorRoutes = (ctx: Context) => new Elysia().use(ledgerRoutes(ctx)).use(creditRoutes(ctx))

const LedgerQuery = Type.Object(listQuery, { additionalProperties: false })

const ledgerRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/subscribers/:id/ledger',
    async ({ project, params, query: { limit = 50, cursor } }) => {
      const { id } = await getSubscriber(ctx, project.id, params.id)
      const scope = ['ledger', project.id, id]
      const [before] = readCursor(cursor, scope, 1) ?? []
      const rows = await listEntries(ctx, id, before === undefined ? null : String(before), limit + 1)
      const toItem = (row: (typeof rows)[number]) => toLedgerView(project, row)
      return { data: toList(rows, limit, scope, { positionOf: (row) => [row.id], toItem }) }
    },
    {
      params: PersonParams,
      query: LedgerQuery,
      response: listAnswer(LedgerEntrySchema),
      detail: {
        tags,
        'x-errors': ['NOT_FOUND'],
        summary: 'The ledger of a subscriber',
        description: 'Every entry of every virtual currency, newest first.',
        operationId: 'listLedgerEntries',
      },
    },
  )

const creditRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'credits:write' }).post(
    '/subscribers/:id/credits',
    async ({ project, params, body, request, actor }) => {
      const { rawBody, id: requestId } = factsOf(request)
      const { code, dryRun = false } = body
      const input = { ...readTransaction(body, rawBody), code, requestId, actor, dryRun }
      const person = await getPerson(ctx, project.id, params.id)
      return { data: toCreditsView(await postTransaction(ctx, project, person, input), dryRun) }
    },
    {
      params: PersonParams,
      body: CreditsBody,
      response: CreditsAnswer,
      detail: {
        tags,
        'x-errors': ['NOT_FOUND', 'CONFLICT', 'SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Give or take virtual currency',
        description: 'A retry with the same idempotencyKey and amount answers the original; with another it is 409.',
        operationId: 'postCredits',
      },
    },
  )
