import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { type RowChanges, type Writer, writeRows } from '../../base/db/row-changes'
import { notFound } from '../../base/errors'
import * as queries from './queries'

export type { PlacementTableRow } from './queries'

/** A placement as it is written. */
export type Placement = Omit<queries.PlacementTableRow, 'projectId' | 'createdAt' | 'updatedAt'>

/** A project's placements, by identifier. */
export const listPlacements = queries.listPlacements

/** The placement, or 404 `NOT_FOUND`. */
export async function getPlacement(handle: Handle, projectId: string, id: string): Promise<queries.PlacementTableRow> {
  const row = await queries.findPlacement(handle, projectId, id)
  if (!row) throw notFound('placement', id)
  return row
}

const writer: Writer<Placement> = {
  release: queries.releasePlacements,
  remove: queries.deletePlacements,
  insert: queries.insertPlacements,
  update: queries.updatePlacement,
}

/** Writes a change of a project's placements. The caller has checked it, and calls `touchConfig`. */
export const writePlacements = (tx: Tx, projectId: string, changes: RowChanges<Placement>): Promise<void> =>
  writeRows(tx, projectId, writer, changes)
