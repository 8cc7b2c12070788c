import { Type } from '@sinclair/typebox'
import type { Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { SECOND } from '../../base/lib/clock'
import type { RateChange } from '../../projects/exchange-rates/save'
import { convertWaiting } from './convert'
import { insertConversion } from './queries'

export const convertJob = defineJob({
  name: 'conversions.convert',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => convertWaiting(ctx, isStopping),
})

/** Continues what a stopped process has left. */
export const conversionCron = [cronLine({ name: 'convert-transactions', pattern: '27 * * * *', job: convertJob })]

/**
 * Where several transactions write at a time, one that started before the rates changed may end after it, with an amount
 * by the old rate. No transaction of ours takes this long.
 */
const SETTLED_MS = 20 * SECOND

/** In the transaction that changes rates: the stored transactions will be converted again. */
export async function queueConversion(tx: Tx, { id, position, firstDay, currencies }: RateChange): Promise<void> {
  const now = tx.clock.now()
  await insertConversion(tx, {
    ...{ id, position, firstDay, currencies: [...currencies], state: 'WAITING' },
    ...{ projectId: '', occurredAt: 0, transactionId: '', checked: 0, changed: 0, tallies: {} },
    ...{ startedAt: now, finishedAt: null },
  })
  await enqueue(tx, convertJob, {}, { runAt: tx.needsLocks ? now + SETTLED_MS : now, dedupeKey: id })
}
