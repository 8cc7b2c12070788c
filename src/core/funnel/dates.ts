/** Whether a value is a day of the calendar as `YYYY-MM-DD`. */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const at = Date.parse(`${value}T00:00:00Z`)
  // The 30th of February is parsed as a day in March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value)
}
