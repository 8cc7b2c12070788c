import { bucket } from '../../base/lib/bucket'
import { HOLDOUT_SALT } from '../../core/bucket/bucket'

/** A control character. No valid device key contains one. */
const MARK = '\u0001'

/** The stored key of a row that lost its device to another row. It contains the old key, and no device can send it. */
export const detachedKey = (subscriberId: string, deviceKey: string): string =>
  `${MARK}${subscriberId}${MARK}${deviceKey}`

/** Whether the row lost its device to another row. The key that it was created with is that row's key now. */
export const isDetached = ({ deviceKey }: { deviceKey: string }): boolean => deviceKey.startsWith(MARK)

/**
 * The first device key of a subscriber, also when the device belongs to another row now. All assignments to variants,
 * rollouts and the holdout are computed from it (wire 5.1).
 */
export function firstDeviceKey({ deviceKey }: { deviceKey: string }): string {
  if (!isDetached({ deviceKey })) return deviceKey
  const [, , first] = deviceKey.split(MARK)
  return first ?? deviceKey // Older releases did not store the first key in a detached key.
}

/** The bucket that decides whether a subscriber is held out of all experiments. */
export const holdoutBucketOf = (row: { deviceKey: string }): number => bucket(firstDeviceKey(row), HOLDOUT_SALT)
