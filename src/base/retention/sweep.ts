import { Type } from '@sinclair/typebox'
import type { Context } from '../context'
import { cronLine, defineJob } from '../jobs/registry'
import { describeError } from '../lib/log'

/** Follows every rule. One that fails keeps no other from its work; the job then fails and runs again. */
export async function sweepRetention(ctx: Context, isStopping: () => boolean = () => false): Promise<void> {
  const failed: string[] = []
  for (const { name, sweep } of ctx.hooks.retention ?? []) {
    if (isStopping()) return
    try {
      await sweep(ctx, isStopping)
    } catch (error) {
      failed.push(name)
      ctx.log.warn('what is too old could not be deleted', { what: name, error: describeError(error) })
    }
  }
  if (failed.length > 0) throw new Error(`could not be deleted: ${failed.join(', ')}`)
}

const sweep = defineJob({
  name: 'retention.sweep',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => sweepRetention(ctx, isStopping),
})

/** Hourly. */
export const retentionCron = [cronLine({ name: 'retention', pattern: '47 * * * *', job: sweep })]
