import type { Tx } from '../../base/context'
import { reasonText } from '../../core/reason/reasons'
import type { EventCause } from '../../people/events/model'
import { listByChain, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { Marker } from '../../stores/observation'
import { lockRead } from '../receipts/parties'
import { ownerOf, recordHeldObservations } from '../recording/held'
import type { ChangeTaker } from '../recording/model'
import { ERASED, idle, type Recording, recorded } from '../recording/recording'
import type { AndroidUpdate } from './ask'
import { ANDROID, listByTokens } from './tokens'

/** The purchase that the news is about, after what the store reported of it and with what it takes back. */
export async function recordNamed(
  tx: Tx,
  project: ProjectState,
  { looks, marker, purchaseToken, idle: why }: AndroidUpdate,
  cause: EventCause,
  changes: ChangeTaker,
): Promise<Recording> {
  const held = await listByChain(tx, project.id, ANDROID, purchaseToken)
  const named = held.find(({ productId }) => productId !== null) ?? held[0]
  if (!named) return idle(why ?? reasonText('NOTHING_BOUGHT'))
  if (marker && !(await mark(tx, project, named, marker, cause, changes))) return idle(ERASED)
  if (!marker && looks.length === 0) return idle(why ?? reasonText('NOTHING_SAID'))
  return recorded(named)
}

/** Google returns an order as a whole, so the marker concerns each line that the order paid. */
async function mark(
  tx: Tx,
  project: ProjectState,
  { id, chainKey }: PurchaseRow,
  marker: Marker,
  cause: EventCause,
  changes: ChangeTaker,
): Promise<boolean> {
  const { purchases } = await lockRead(tx, async () => {
    const lines = await listByTokens(tx, project.id, [chainKey])
    const [purchase] = lines
    if (!purchase) throw new Error(`purchase ${id} vanished under its lock`)
    return { subscriber: await ownerOf(tx, purchase), purchases: lines, isNew: false }
  })
  let isRecorded = false
  for (const line of purchases)
    if ((await recordHeldObservations(tx, project, line, [marker], cause, changes)) !== null) isRecorded = true
  return isRecorded
}
