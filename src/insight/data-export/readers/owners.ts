import { and, inArray, isNotNull } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import { isDetached } from '../../../people/subscribers/service'
import type { StoredAttributes } from '../../../people/subscribers/tables'
import { jsonCell } from './json-cell'

/** A subscriber as exports show it. Of an erased one nothing but the id is left. */
export interface Owner {
  id: string
  /** Null when the device has gone over to another subscriber. */
  deviceKey: string | null
  appUserId: string | null
  attributes: StoredAttributes
  firstSeenAt: number
  lastSeenAt: number
  isErased: boolean
}

/** The subscribers of some rows, by id. */
export async function ownersOf(handle: Handle, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, Owner>> {
  const { subscribers: s } = handle.tables
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const columns = { id: s.id, deviceKey: s.deviceKey, appUserId: s.appUserId, attributes: jsonCell(s.attributes) }
  const seen = { firstSeenAt: s.firstSeenAt, lastSeenAt: s.lastSeenAt }
  const found = handle.db.select({ ...columns, ...seen, mergedInto: s.mergedInto, erasedAt: s.erasedAt }).from(s)
  const rows = await withErasures(handle, await found.where(inArray(s.id, wanted)))
  return new Map(rows.map((row) => [row.id, toOwner(row)]))
}

/** A row that was merged into an erased one is of the same person. */
export async function withErasures<Row extends { mergedInto: string | null; erasedAt: number | null }>(
  { db, tables: { subscribers: s } }: Handle,
  rows: readonly Row[],
): Promise<Row[]> {
  const targets = [...new Set(rows.map(({ mergedInto }) => mergedInto).filter((id) => id !== null))]
  if (targets.length === 0) return [...rows]
  const isErased = and(inArray(s.id, targets), isNotNull(s.erasedAt))
  const found = await db.select({ id: s.id, erasedAt: s.erasedAt }).from(s).where(isErased)
  const erasedAt = new Map(found.map((row) => [row.id, row.erasedAt]))
  return rows.map((row) => ({ ...row, erasedAt: row.erasedAt ?? erasedAt.get(row.mergedInto ?? '') ?? null }))
}

interface StoredOwner extends Omit<Owner, 'isErased' | 'attributes'> {
  deviceKey: string
  attributes: StoredAttributes | null
  erasedAt: number | null
}

/** Without anything about a person who asked to be forgotten, whatever the row still holds. */
export function toOwner({ erasedAt, ...row }: StoredOwner): Owner {
  if (erasedAt !== null) return { ...row, deviceKey: null, appUserId: null, attributes: {}, isErased: true }
  const deviceKey = isDetached(row) ? null : row.deviceKey
  return { ...row, deviceKey, attributes: row.attributes ?? {}, isErased: false }
}

/** The name by which the customer's systems know the person. */
export const externalIdOf = ({ appUserId, deviceKey, id }: Owner): string => appUserId ?? deviceKey ?? id

/** The values of attributes by name; `leftOut` names those that have columns of their own. */
export const attributeValues = (
  { attributes }: Pick<Owner, 'attributes'>,
  leftOut: readonly string[] = [],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, { value }]) => (leftOut.includes(name) ? [] : [[name, value]])),
  )
