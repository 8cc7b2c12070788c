/** A value of a result as text; a dash for null. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '—' : typeof value === 'object' ? JSON.stringify(value) : String(value)
