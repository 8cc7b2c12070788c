import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { listCards, removeCard, setDefaultCard, setUpCard } from './cards'
import { getInvoice, listInvoices } from './invoices'
import { PROVIDER_ERRORS } from './routes'
import { CardAnswer, CardsAnswer, InvoiceAnswer, InvoicesAnswer, NoBody, OneCard, SetupAnswer } from './wire'

const tags = ['Billing']

/** The cards that pay for a plan, and its invoices. */
export const cardRoutes = (ctx: Context) =>
  new Elysia().use(listRoutes(ctx)).use(oneRoutes(ctx)).use(invoiceRoutes(ctx))

const listRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN', idempotency: { isSecret: true } })
    .get(
      '/billing/payment-methods',
      async ({ project }) => ({ data: { items: await listCards(ctx, project.id), nextCursor: null } }),
      {
        response: CardsAnswer,
        detail: {
          ...{ tags, 'x-errors': PROVIDER_ERRORS, operationId: 'listPaymentMethods' },
          summary: 'The cards of the present owner',
        },
      },
    )
    .post(
      '/billing/payment-methods',
      async ({ project, actor }) => ({
        data: { setupClientSecret: await setUpCard(ctx, { projectId: project.id, actor }) },
      }),
      {
        body: NoBody,
        response: SetupAnswer,
        detail: {
          ...{ tags, 'x-errors': [...PROVIDER_ERRORS, 'BILLING_UPGRADE_REQUIRED'], operationId: 'setUpPaymentMethod' },
          summary: 'Begin to add a card',
          description: 'The browser gives the card to the provider with this secret; it never reaches this server.',
        },
      },
    )

const oneRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .post(
      '/billing/payment-methods/:id/default',
      async ({ project, actor, params: { id } }) => ({
        data: await setDefaultCard(ctx, { projectId: project.id, actor }, id),
      }),
      {
        params: OneCard,
        body: NoBody,
        response: CardAnswer,
        detail: {
          ...{ tags, 'x-errors': [...PROVIDER_ERRORS, 'NOT_FOUND'], operationId: 'setDefaultPaymentMethod' },
          summary: 'Charge this card from now on',
        },
      },
    )
    .delete(
      '/billing/payment-methods/:id',
      async ({ project, actor, params: { id } }) => {
        await removeCard(ctx, { projectId: project.id, actor }, id)
        return DELETED
      },
      {
        params: OneCard,
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': [...PROVIDER_ERRORS, 'NOT_FOUND', 'BILLING_CARD_IN_USE', 'BILLING_CARD_OPEN_INVOICE'],
          summary: 'Remove a card',
          operationId: 'deletePaymentMethod',
        },
      },
    )

const invoiceRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .get(
      '/billing/invoices',
      async ({ project, query: { limit = 50, cursor } }) => ({
        data: await listInvoices(ctx, project.id, { limit, cursor }),
      }),
      {
        query: Type.Object(listQuery, { additionalProperties: false }),
        response: InvoicesAnswer,
        detail: {
          ...{ tags, 'x-errors': PROVIDER_ERRORS, operationId: 'listInvoices' },
          summary: 'The invoices for the plan, newest first',
        },
      },
    )
    .get(
      '/billing/invoices/:id',
      async ({ project, params: { id } }) => ({ data: await getInvoice(ctx, project.id, id) }),
      {
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }), id: Type.String({ maxLength: 100 }) }),
        response: InvoiceAnswer,
        detail: {
          ...{ tags, 'x-errors': [...PROVIDER_ERRORS, 'NOT_FOUND'], operationId: 'getInvoice' },
          summary: 'An invoice with its lines and what was used',
        },
      },
    )
