import { type TSchema, Type } from '@sinclair/typebox'
import { invalid } from '../errors'
import { sha256Hex } from '../lib/hash'
import { queryInteger } from './parameters'

const strict = { additionalProperties: false } as const

/** The two query members of every list (wire 1.3). A route adds its filters. */
export const listQuery = {
  limit: Type.Optional(queryInteger('limit', { minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'nextCursor of the page before' })),
}

/** The schema of a list's answer: `{data: {items, nextCursor}}`. */
export const listAnswer = <Item extends TSchema>(item: Item) =>
  Type.Object(
    { data: Type.Object({ items: Type.Array(item), nextCursor: Type.Union([Type.String(), Type.Null()]) }, strict) },
    strict,
  )

/** The values of a row by which its list is ordered. The next page starts after them. */
export type Position = readonly (string | number)[]

/** Which list is read: the route, the project and every filter. A cursor is valid for one such list. */
export type ListScope = readonly (string | number | boolean | null | undefined)[]

/**
 * Reads a cursor: null = the first page. 400 `VALIDATION_ERROR` for a cursor that is damaged or belongs to another
 * list. The caller must not believe the kinds of the values: a client can write a cursor by itself.
 */
export function readCursor(cursor: string | undefined, scope: ListScope, length: number): Position | null {
  if (cursor === undefined) return null
  const position = parsePosition(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (position?.length === length && writeCursor(position, scope) === cursor) return position
  throw invalid('cursor: it does not belong to this list with these filters; begin again without it')
}

/** The integer at a place of a position; 400 for anything else, which only a client has written there. */
export function integerAt(position: Position, place: number): number {
  const value = position[place]
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw invalid('cursor: it is damaged; begin again without it')
}

/** Opaque to clients: base64url of a checksum over the list and the position, and the position. */
export const writeCursor = (position: Position, scope: ListScope): string =>
  Buffer.from(JSON.stringify([checksum(position, scope), ...position])).toString('base64url')

const checksum = (position: Position, scope: ListScope): string =>
  sha256Hex(JSON.stringify([position, scope.map((part) => part ?? null)])).slice(0, 12)

function parsePosition(text: string): Position | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.every(isPlain) ? parsed.slice(1) : null
  } catch {
    return null
  }
}

/** PostgreSQL refuses some texts; no row contains them. */
const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' ? value.isWellFormed() && !value.includes('\0') : Number.isFinite(value)

/**
 * The answer of a list from rows that were read with one more than `limit`: the last one shows that there are more.
 * `positionOf` gives the values by which the list is ordered.
 */
export function toList<Row, Item>(
  rows: readonly Row[],
  limit: number,
  scope: ListScope,
  parts: { positionOf: (row: Row) => Position; toItem: (row: Row) => Item },
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? writeCursor(parts.positionOf(last), scope) : null
  return { items: shown.map(parts.toItem), nextCursor }
}

/** The part of a list to read: rows before the cursor's id, and one more than `limit`, as `toList` needs it. */
export function pageBefore(cursor: string | undefined, scope: ListScope, limit: number) {
  const [beforeId] = readCursor(cursor, scope, 1) ?? []
  return { beforeId: beforeId === undefined ? null : String(beforeId), limit: limit + 1 }
}
