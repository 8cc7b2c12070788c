import type { Page, Paged } from '../db/page'
import { type ListScope, readCursor, writeCursor } from './list'

/** The page that a list query asks for, of a list in the order of ids, newest first. */
export function idPage({ limit = 50, cursor }: { limit?: number; cursor?: string }, scope: ListScope): Page {
  const position = readCursor(cursor, scope, 1)
  return { limit, beforeId: position === null ? undefined : String(position[0]) }
}

/** The answer of such a list. */
export function idList<Item extends { id: string }>(
  { items, hasMore }: Paged<Item>,
  scope: ListScope,
): { items: Item[]; nextCursor: string | null } {
  const last = items.at(-1)
  return { items, nextCursor: hasMore && last ? writeCursor([last.id], scope) : null }
}

/** One page of objects that are all in memory. */
export function pageOf<Item extends { id: string }>(all: readonly Item[], { limit, beforeId }: Page): Paged<Item> {
  const after = all.filter(({ id }) => beforeId === undefined || id < beforeId).sort((a, b) => (a.id < b.id ? 1 : -1))
  return { items: after.slice(0, limit), hasMore: after.length > limit }
}
