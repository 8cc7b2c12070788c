import type { Tx } from '../../base/context'
import type { OnErase } from '../../people/subscribers/hooks'
import { kindOf } from './kinds'
import type { AttemptEntry } from './model'
import { endById, listOfPerson, listOpenOfPerson, updateDelivery } from './queries'
import { lockTargets } from './target-queries'

const PAGE = 500

/**
 * At an erasure: what waits to be sent about a person is not sent any more, and of the deliveries stays when something
 * was sent and what status came back.
 */
export const eraseDeliveries: OnErase = async (tx, _project, { id }) => {
  await endOpenOf(tx, id)
  for (let after = 0, reduced = 0; ; ) {
    const rows = await listOfPerson(tx, id, after, PAGE)
    // Without a lease, the answer of an attempt that is still under way at a closed target is not saved.
    for (const { position, log } of rows)
      await updateDelivery(tx, position, { payload: null, leaseId: null, log: log.map(withoutText) })
    reduced += rows.length
    if (rows.length < PAGE) return { deliveries: { reduced } }
    after = rows.at(-1)?.position ?? after
  }
}

async function endOpenOf(tx: Tx, subscriberId: string): Promise<void> {
  const targetIds = (await listOpenOfPerson(tx, subscriberId)).map(({ targetId }) => targetId)
  if (targetIds.length === 0) return
  // As everywhere before the deliveries, so that two processes never wait for each other.
  await lockTargets(tx, [...new Set(targetIds)])
  const open = await listOpenOfPerson(tx, subscriberId)
  await endById(
    tx,
    open.map(({ position }) => position),
    { now: tx.clock.now(), error: 'erased' },
  )
  for (const [kind, rows] of Map.groupBy(open, (row) => row.kind))
    await kindOf(tx, kind).onEnd?.(
      tx,
      rows.map(({ id }) => id),
    )
}

/** A receiver may repeat the request in its answer. */
const withoutText = (entry: AttemptEntry): AttemptEntry => ({ ...entry, responseSnippet: null })
