import type { Handle } from '../../base/db/handle'
import { findReferenced, isSubscriberId } from '../../people/subscribers/service'
import type { Asker } from './assignments'

/** Whom a server means by a subscriber reference (wire 1.8), or null. */
export async function findNamed(handle: Handle, projectId: string, reference: string): Promise<Asker | null> {
  const subscriber = await findReferenced(handle, { projectId, presented: 'secret' }, reference)
  if (!subscriber) return null
  // A label or an id is no device's, although a device may call itself so.
  const isNoDevice = subscriber.appUserId === reference || isSubscriberId(reference)
  return { deviceKey: isNoDevice ? subscriber.deviceKey : reference, subscriber }
}
