import type { OnErase } from '../../people/subscribers/hooks'
import { lockDevices } from './devices'
import { deleteDevices } from './queries'

/** Deletes the devices of an erased person. */
export const eraseDevices: OnErase = async (tx, { id: projectId }, _row, { ids }) => {
  const { sdkDevices } = tx.state
  await lockDevices(tx)
  sdkDevices.forget(projectId, ids)
  const hashes = ids.map((id) => sdkDevices.hash(projectId, id))
  return { former_sdk_devices: { removed: await deleteDevices(tx, projectId, hashes) } }
}
