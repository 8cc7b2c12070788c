import type { Context, Tx } from '../../base/context'
import { resultFor } from '../../intake/receipts/receipt'
import { assertLive, findByDevice, findErasedDevice } from '../../people/subscribers/service'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import { conflict } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import type { Buying } from '../driver/buy'
import type { Done } from '../driver/simulate'
import { APP } from '../stores/world'
import type { SimulationOrder } from './simulation-wire'

/** Records a sale in the audit log, in the transaction that sells. 409 `SUBSCRIBER_UNRESOLVABLE` for an erased device. */
export async function recordSale(tx: Tx, { id }: ProjectState, actor: Actor, buying: Buying) {
  const { deviceKey, store, terms, others = [] } = buying
  const buyer = (await findByDevice(tx, id, deviceKey)) ?? (await findErasedDevice(tx, id, deviceKey))
  // An erasure finds the rows about a subscriber. A device that buys first has none before its receipt arrives, so that
  // row contains nothing by which a person can be found: no device key and no transaction.
  const target = buyer
    ? { type: 'subscriber', id: assertLive(buyer).id }
    : { type: 'testStore', id: `${store}/test-store` }
  const further = others.map(({ identifier }) => identifier)
  const after = { store, product: terms.identifier, ...(further.length > 0 && { with: further }) }
  await recordAudit(tx, id, actor, [{ action: 'test_store.purchase', target, before: null, after }])
}

/** The app's post was refused for good: no person got anything, although the store has sold it. */
export function refuseUnheard({ failed }: Done): void {
  const refusal = failed.find(({ type, isFinal }) => type === APP && isFinal)
  if (refusal) throw conflict(`The purchase was refused: ${refusal.error}`)
}

/** What a device has now. */
export async function heldBy(ctx: Context, project: ProjectState, deviceKey: string) {
  const holder = await findByDevice(ctx, project.id, deviceKey)
  const held = holder && (await resultFor(ctx, project, holder))
  return { subscriberId: held?.subscriber.id ?? null, access: Object.keys(held?.access ?? {}) }
}

/** Records an action of a person. A command on this machine has no row: it also works without any accounts. */
export async function recordSimulation(
  ctx: Context,
  { id }: ProjectState,
  actor: Actor,
  order: SimulationOrder,
): Promise<void> {
  if (actor.kind === 'CLI') return
  const buyer = 'device' in order ? await findByDevice(ctx, id, order.device) : null
  const target = buyer ? { type: 'subscriber', id: buyer.id } : { type: 'testStore', id: 'test-store' }
  await ctx.write((tx) =>
    recordAudit(tx, id, actor, [{ action: 'test_store.simulate', target, before: null, after: imageOf(order) }]),
  )
}

/** Without the device: an erasure must find nothing of a person in the row. */
function imageOf(order: SimulationOrder): Record<string, unknown> {
  const { device: _device, ...image } = { device: null, ...order }
  return image
}
