import type { Schemas } from '../api/schemas'

export type AuditRow = Schemas['AuditEntry']

/** One member that a change made different. */
export interface Difference {
  path: string
  before: string
  after: string
}

/** The members that differ between two states of an object, deep inside too. */
export function differencesOf(before: unknown, after: unknown, path = ''): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (!isMap(before) && !isMap(after)) return [{ path, before: textOf(before), after: textOf(after) }]
  const [old, next] = [isMap(before) ? before : {}, isMap(after) ? after : {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names.flatMap((name) => differencesOf(old[name], next[name], path === '' ? name : `${path}.${name}`))
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
