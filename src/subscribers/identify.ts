import type { Context, Tx } from '../context'
import { subscriberImage } from '../entitlements/service'
import { causeOf } from '../events/model'
import { recordEvents } from '../events/service'
import type { ProjectState } from '../projects/state'
import { mergeSubscribers } from './merge'
import { findByDeviceKey, findById, findByLabel, insertSubscriber, updateSubscriber } from './queries'
import { assertLive, ensureSubscriber, newSubscriber, type Platform, type SubscriberRow } from './service'

export interface Identification {
  deviceKey: string
  label: string
  platform: Platform | null
  requestId: string
}

export interface Identified {
  subscriberId: string
  appUserId: string
  transferred: boolean
}

/**
 * Binds the customer's own id to a device (wire 2.4). A label on another row brings that row's purchases here; a
 * device that carries another label leaves its row behind, so nobody's purchase passes to another label.
 */
export async function identify(
  ctx: Context,
  project: ProjectState,
  { deviceKey, label, platform, requestId }: Identification,
): Promise<Identified> {
  return ctx.write(async (tx) => {
    for (const name of [`device:${project.id}:${deviceKey}`, `label:${project.id}:${label}`].sort()) await tx.lock(name)
    const row = assertLive(await ensureSubscriber(tx, project.id, deviceKey, platform))
    if (row.appUserId === label) return { subscriberId: row.id, appUserId: label, transferred: false }
    const target = row.appUserId === null ? row : await leaveRow(tx, project.id, deviceKey, platform)
    return bindLabel(tx, project, target, label, requestId)
  })
}

/** The person switched account without signing out: the key goes to a fresh row, the old one keeps all it holds. */
async function leaveRow(
  tx: Tx,
  projectId: string,
  deviceKey: string,
  platform: Platform | null,
): Promise<SubscriberRow> {
  const carrier = await findByDeviceKey(tx, projectId, deviceKey)
  if (carrier) await updateSubscriber(tx, carrier.id, { deviceKey: detachedKey(carrier.id), updatedAt: tx.clock.now() })
  const fresh = await insertSubscriber(tx, newSubscriber(tx, projectId, deviceKey, platform))
  if (!fresh) throw new Error('the device key was taken while it moved')
  return fresh
}

/** A key that no device can present: device keys hold no control characters. */
export const detachedKey = (subscriberId: string): string => `\u0001${subscriberId}`

async function bindLabel(
  tx: Tx,
  project: ProjectState,
  target: SubscriberRow,
  label: string,
  requestId: string,
): Promise<Identified> {
  const cause = causeOf('IDENTIFY', requestId)
  const holder = await findByLabel(tx, project.id, label)
  if (holder)
    await mergeSubscribers(tx, project, {
      from: holder,
      into: target,
      cause,
      transferCause: 'IDENTIFY',
      takesLabel: true,
    })
  else await updateSubscriber(tx, target.id, { appUserId: label, updatedAt: tx.clock.now() })
  const subject = { id: target.id, projectId: project.id, appUserId: label }
  const image = await subscriberImage(tx, project, (await findById(tx, project.id, target.id)) ?? target)
  const draft = {
    type: 'subscriber.identified',
    occurredAt: tx.clock.now(),
    environment: 'PRODUCTION' as const,
    data: { appUserId: label, previousAppUserId: null },
  }
  await recordEvents(tx, { subject, cause, before: image, after: image }, [draft])
  return { subscriberId: target.id, appUserId: label, transferred: holder !== null }
}
