import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE } from '../../base/lib/clock'
import { listProjects } from '../../projects/project/service'
import { computeMembers } from './compute'
import { isAway } from './keeping'
import { deleteSomeMembers, listAllCohorts } from './queries'

/** A little less than the interval, so that each run takes all. */
const DUE_AFTER = 55 * MINUTE
const CHUNK = 1000
/** When cohorts are tried again after ClickHouse did not answer. */
const AWAY_MS = MINUTE

/** Deletes the members of a cohort that was deleted, or of its earlier definition. */
export const forgetMembers = defineJob({
  name: 'cohorts.forget',
  payload: Type.Object({ listId: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
  handle: async (ctx, { listId }, isStopping) => {
    for (let deleted = CHUNK; deleted === CHUNK && !isStopping(); )
      deleted = await ctx.write((tx) => deleteSomeMembers(tx, listId, CHUNK))
  },
})

const refresh = defineJob({
  name: 'cohorts.refresh',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: async (ctx, _payload, isStopping) => {
    try {
      await refreshCohorts(ctx, isStopping)
    } catch (error) {
      if (!isAway(error)) throw error
      await ctx.write(refreshLater)
    }
  },
})

/** ClickHouse can be away for long. That is no failure of the job, which would be given up after some. */
async function refreshLater(tx: Tx): Promise<void> {
  const runAt = tx.clock.now() + AWAY_MS
  await enqueue(tx, refresh, {}, { runAt, dedupeKey: `cohorts.refresh ${Math.floor(runAt / AWAY_MS)}` })
}

/** Finds the members of every cohort that was not computed in the last hour, one cohort after the other. */
async function refreshCohorts(ctx: Context, isStopping: () => boolean): Promise<void> {
  for (const { id } of await listProjects(ctx)) {
    for (const cohort of await listAllCohorts(ctx, id)) {
      if (isStopping()) return
      const isDue = cohort.computedAt === null || cohort.computedAt < ctx.clock.now() - DUE_AFTER
      if (isDue) await computeMembers(ctx, cohort)
    }
  }
}

/** Hourly, so that sizes are known and people who were erased are in no list. */
export const cohortCron = [cronLine({ name: 'refresh-cohorts', pattern: '11 * * * *', job: refresh })]
