/** They name people, so they are checked as they were sent. */
const IDS: ReadonlySet<string> = new Set(['app_user_id', 'new_app_user_id'])

/**
 * The body with a replacement character for each part of a text that cannot be stored: NUL and halves of characters. A phone
 * sends a name that was cut within a character with its next purchase, and that purchase must not be lost for it.
 */
export const storable = (body: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, IDS.has(name) ? value : cleaned(value)]))

/** The depth of bodies is limited. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed()
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]))
}
