import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { describeError } from '../../base/lib/log'
import { inParallel } from '../../base/lib/parallel'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { FREED_MS, freeDomain } from './admin'
import { checkDomain } from './check'
import { deleteFreedBefore, listDue, listOrphaned } from './queries'

const AT_ONCE = 200
const WIDTH = 8

/** Checks every name that is due, and frees the names of deleted projects. */
export async function checkDue(ctx: Context, isStopping: () => boolean = () => false): Promise<void> {
  for (const row of await listOrphaned(ctx)) await ctx.write((tx) => freeDomain(tx, row))
  const due = await listDue(ctx, ctx.clock.now(), AT_ONCE)
  await inParallel(due, WIDTH, async (row) => {
    if (isStopping()) return
    // One name that cannot be checked does not hold up the others.
    await checkDomain(ctx, row).catch((error: unknown) =>
      ctx.log.warn('could not check a custom domain', { domainId: row.id, error: describeError(error) }),
    )
  })
}

const checkJob = defineJob({
  name: 'domains.check',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => checkDue(ctx, isStopping),
})

/** Every minute. */
export const domainCron = [cronLine({ name: 'check-domains', pattern: '* * * * *', job: checkJob })]

/** Names that were freed are free for everybody then. */
export const freedRetention: RetentionRule = {
  name: 'freed hostnames',
  tables: ['freedHostnames'],
  keptMs: FREED_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteFreedBefore(tx, tx.clock.now() - FREED_MS, limit)),
  oldest: (handle) => oldestOf(handle, handle.tables.freedHostnames, handle.tables.freedHostnames.freedAt, FREED_MS),
}
