import type { ErasedReader } from '../../people/subscribers/erased-keys'
import { findReferenced, isSubscriberId } from '../../people/subscribers/service'
import type { EvaluationTarget } from '../audiences/evaluation-target'

/** The subscriber that a server means by a reference (wire 1.8), or null. */
export async function findReferencedTarget(
  handle: ErasedReader,
  projectId: string,
  reference: string,
): Promise<EvaluationTarget | null> {
  const subscriber = await findReferenced(handle, { projectId, presented: 'secret' }, reference)
  if (!subscriber) return null
  // A label or an id is not the key of a device, although a device may choose the same text as its key.
  const isNoDevice = subscriber.appUserId === reference || isSubscriberId(reference)
  return { deviceKey: isNoDevice ? subscriber.deviceKey : reference, subscriber }
}
