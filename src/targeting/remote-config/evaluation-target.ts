import type { Handle } from '../../base/db/handle'
import { findReferenced, isSubscriberId, type SubscriberRow } from '../../people/subscribers/service'

/** For whom flags and experiments are evaluated. */
export interface EvaluationTarget {
  /** The live row. */
  subscriber: SubscriberRow
  /** The device key of the call. After a merge it can be the key of another row than the live one. */
  deviceKey: string
}

/** The subscriber that a server means by a reference (wire 1.8), or null. */
export async function findReferencedTarget(
  handle: Handle,
  projectId: string,
  reference: string,
): Promise<EvaluationTarget | null> {
  const subscriber = await findReferenced(handle, { projectId, presented: 'secret' }, reference)
  if (!subscriber) return null
  // A label or an id is not the key of a device, although a device may choose the same text as its key.
  const isNoDevice = subscriber.appUserId === reference || isSubscriberId(reference)
  return { deviceKey: isNoDevice ? subscriber.deviceKey : reference, subscriber }
}
