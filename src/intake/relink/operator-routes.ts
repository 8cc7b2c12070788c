import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import type { ProjectState } from '../../projects/project/state'
import { queueRelink } from './admin'
import { countLinkable, countMissing } from './awaited'

const Waiting = Type.Object(
  {
    waiting: Type.Integer({
      description: 'Purchases without a product although the catalogue has it. It counts down while they are linked',
    }),
    withoutProduct: Type.Integer({
      description:
        'Purchases for which the catalogue has no product: GET /products/waiting lists them. Unlisted sales are among them where the project counts them',
    }),
  },
  { additionalProperties: false, title: 'RelinkProgress' },
)

/** Purchases that were recorded before their product was in the catalogue. */
export const relinkOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const progressOf = (ctx: Context, project: ProjectState) =>
  ctx.storage.readInThread(async (handle) => ({
    waiting: await countLinkable(handle, project.id),
    withoutProduct: await countMissing(handle, project),
  }))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/purchases/relink',
    async ({ project }) => ({ data: await progressOf(ctx, project) }),
    {
      response: dataAnswer(Waiting),
      detail: {
        tags: ['Money'],
        summary: 'How many purchases are still to be linked to their product',
        operationId: 'getRelinkProgress',
      },
    },
  )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'products:write' }).post(
    '/purchases/relink',
    async ({ project, actor, session }) => {
      const by = { projectId: project.id, actor, hasToken: session === null }
      const waiting = await queueRelink(ctx, by)
      return { data: { ...(await progressOf(ctx, project)), waiting } }
    },
    {
      body: Type.Object({}, { additionalProperties: false }),
      response: dataAnswer(Waiting),
      detail: {
        tags: ['Money'],
        summary: 'Link purchases to products that came later',
        description:
          'An edit of a product does this by itself. It runs in the background; GET tells how many are left. A purchase that has a product keeps it.',
        operationId: 'relinkPurchases',
      },
    },
  )
