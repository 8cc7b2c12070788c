/** No device key holds a control character. */
const MARK = '\u0001'

/** The key of a row whose own device has left for another: no device can present it, and the first one stands in it. */
export const detachedKey = (subscriberId: string, deviceKey: string): string =>
  `${MARK}${subscriberId}${MARK}${deviceKey}`

/** The first device key of a subscriber, which all their draws are made with (wire 5.1), whoever has that device now. */
export function firstDeviceKey({ deviceKey }: { deviceKey: string }): string {
  if (!deviceKey.startsWith(MARK)) return deviceKey
  const [, , first] = deviceKey.split(MARK)
  return first ?? deviceKey // Of a row that was left before the first key was kept.
}
