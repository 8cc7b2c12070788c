/** Whether the runtime knows a time zone. */
export function isTimezone(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false // The runtime does not know the zone.
  }
}
