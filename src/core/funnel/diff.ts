import type { FunnelContent } from './model'
import { isObject } from './reading'

/** One difference between two contents: a member that was added, removed or changed. */
export interface Difference {
  /** By ids where items have them: `pages.goal.fields.goal.required`. */
  path: string
  /** Absent when the member was added. */
  before?: unknown
  /** Absent when the member was removed. */
  after?: unknown
}

const MAX_DIFFERENCES = 1000

/**
 * What differs between two contents, in the order of the document. Items of a list are compared by their ids where all
 * have one, so that moving an item is one difference of the order and not of every item after it.
 */
export function differencesOf(before: FunnelContent, after: FunnelContent): Difference[] {
  const found: Difference[] = []
  const members = ['pages', 'theme', 'settings', 'defaultLocale', 'locales'] as const
  for (const name of members) compare(found, name, before[name], after[name])
  return found.slice(0, MAX_DIFFERENCES)
}

function compare(found: Difference[], path: string, before: unknown, after: unknown): void {
  if (before === after) return
  if (before === undefined) found.push({ path, after })
  else if (after === undefined) found.push({ path, before })
  else if (isObject(before) && isObject(after)) compareMembers(found, path, before, after)
  else if (isList(before) && isList(after)) compareLists(found, path, before, after)
  else found.push({ path, before, after })
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

function compareMembers(
  found: Difference[],
  path: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    compare(found, `${path}.${name}`, before[name], after[name])
}

function compareLists(found: Difference[], path: string, before: readonly unknown[], after: readonly unknown[]): void {
  const [own, other] = [byId(before), byId(after)]
  if (!own || !other) {
    if (JSON.stringify(before) !== JSON.stringify(after)) found.push({ path, before, after })
    return
  }
  for (const id of new Set([...own.keys(), ...other.keys()]))
    compare(found, `${path}.${id}`, own.get(id), other.get(id))
  const [kept, left] = [[...own.keys()].filter((id) => other.has(id)), [...other.keys()].filter((id) => own.has(id))]
  if (kept.join() !== left.join()) found.push({ path, before: kept, after: left })
}

/** The items by their ids; null when one has none. */
function byId(items: readonly unknown[]): Map<string, unknown> | null {
  const entries = items.map((item) =>
    isObject(item) && typeof item.id === 'string' ? ([item.id, item] as const) : null,
  )
  return entries.every((entry) => entry !== null) ? new Map(entries) : null
}
