import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { causeOf } from '../../people/events/model'
import { listWaitingProjects } from '../../people/purchases/waiting-queries'
import { listProductIdsOfBefore } from '../../projects/catalog/service'
import { relinkProject } from './relink'

/**
 * What a product grants can be the next call after the one that gives it a store id, as in the console. The job waits
 * for it, because grants are booked when a purchase gets its product, and never later.
 */
export const FIRST_LOOK_MS = 3 * SECOND

/**
 * What was recorded by the catalogue of before the edit is committed by then: a receipt takes up to 8 s, a batch of an
 * import less.
 */
export const SECOND_LOOK_MS = 15 * SECOND

const Cause = Type.Union([Type.Literal('DASHBOARD'), Type.Literal('CLI'), Type.Literal('API')])

/** Links what waits for products of one project. It is woken by the edit that gives a product a store id. */
export const relinkJob = defineJob({
  name: 'purchases.relink',
  payload: Type.Object(
    {
      projectId: Type.String(),
      productIds: Type.Union([Type.Array(Type.String()), Type.Null()]),
      cause: Cause,
      /** Whether it looks again for purchases that were being recorded during the edit. */
      looksAgain: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
  async handle(ctx, payload, isStopping) {
    const { projectId, productIds, cause, looksAgain } = payload
    const order = { projectId, productIds, cause: causeOf(cause, null), isGentle: true, isStopping }
    const { isComplete, failed } = await relinkProject(ctx, order)
    if (!isComplete) await ctx.write((tx) => enqueue(tx, relinkJob, payload))
    else if (looksAgain)
      await ctx.write((tx) => enqueue(tx, relinkJob, { ...payload, looksAgain: false }, secondLook(ctx)))
    if (failed > 0) throw new Error(`${failed} purchases could not get their product`)
  },
})

const secondLook = (ctx: Context) => ({ runAt: ctx.clock.now() + SECOND_LOOK_MS })

const relinkAll = defineJob({
  name: 'purchases.relink-all',
  payload: Type.Object({}, { additionalProperties: false }),
  async handle(ctx, _payload, isStopping) {
    for (const projectId of await listWaitingProjects(ctx))
      if (!isStopping()) await sweepProject(ctx, projectId, isStopping)
  },
})

/** Products that were edited just now are left to the job of their edit, which waits for the rest of the edit. */
async function sweepProject(ctx: Context, projectId: string, isStopping: () => boolean): Promise<void> {
  const productIds = await listProductIdsOfBefore(ctx, projectId, ctx.clock.now() - MINUTE)
  const cause = causeOf('SWEEP', null)
  await relinkProject(ctx, { projectId, productIds, findsUnnamed: true, cause, isGentle: true, isStopping })
}

/**
 * Every five minutes: purchases whose product is in the catalogue and that no edit has linked, for example those of a
 * release before this job, or of a project that was moved here.
 */
export const relinkCron = [cronLine({ name: 'relink-purchases', pattern: '*/5 * * * *', job: relinkAll })]
