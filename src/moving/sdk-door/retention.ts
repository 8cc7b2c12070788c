import { DAY } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { deleteOldCalls, deleteOldDevices, deleteOldTokens } from './queries'

const CALLS_KEPT_MS = 60 * DAY
/** An SDK repeats a receipt for as long as it is not answered. */
const TOKENS_KEPT_MS = 90 * DAY

export const callsRetention: RetentionRule = {
  name: 'counts of calls of a former SDK',
  tables: ['formerSdkCalls'],
  keptMs: CALLS_KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldCalls(tx, ctx.clock.now() - CALLS_KEPT_MS, limit)),
  oldest: (handle) => {
    const { formerSdkCalls: c } = handle.tables
    return oldestOf(handle, c, c.day, CALLS_KEPT_MS)
  },
}

/** Longer by a day than devices are counted, so that none is missing on the first day. */
const DEVICES_KEPT_MS = 31 * DAY

export const devicesRetention: RetentionRule = {
  name: 'devices with a former SDK',
  tables: ['formerSdkDevices'],
  keptMs: DEVICES_KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldDevices(tx, ctx.clock.now() - DEVICES_KEPT_MS, limit)),
  oldest: (handle) => {
    const { formerSdkDevices: d } = handle.tables
    return oldestOf(handle, d, d.day, DEVICES_KEPT_MS)
  },
}

export const tokensRetention: RetentionRule = {
  name: 'tokens of purchases at the test store by a former SDK',
  tables: ['formerSdkTokens'],
  keptMs: TOKENS_KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldTokens(tx, ctx.clock.now() - TOKENS_KEPT_MS, limit)),
  oldest: (handle) => {
    const { formerSdkTokens: t } = handle.tables
    return oldestOf(handle, t, t.createdAt, TOKENS_KEPT_MS)
  },
}
