import type { Tx } from '../../base/context'
import { assertLive, findByDevice, findErasedDevice } from '../../people/subscribers/service'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import type { Buying } from '../driver/buy'

/** Records a sale in the audit log, in the transaction that sells. 409 `SUBSCRIBER_UNRESOLVABLE` for an erased device. */
export async function recordSale(tx: Tx, { id }: ProjectState, actor: Actor, { deviceKey, store, terms }: Buying) {
  const buyer = (await findByDevice(tx, id, deviceKey)) ?? (await findErasedDevice(tx, id, deviceKey))
  // An erasure finds the rows about a subscriber. A device that buys first has none before its receipt arrives, so that
  // row contains nothing by which a person can be found: no device key and no transaction.
  const target = buyer
    ? { type: 'subscriber', id: assertLive(buyer).id }
    : { type: 'testStore', id: `${store}/test-store` }
  const after = { store, product: terms.identifier }
  await recordAudit(tx, id, actor, [{ action: 'test_store.purchase', target, before: null, after }])
}
