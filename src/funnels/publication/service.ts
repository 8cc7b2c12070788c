import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { type RowChanges, type Writer, writeRows } from '../../base/db/row-changes'
import { CONFIG_FORMAT_VERSION, type FunnelDocument } from './model'
import * as queries from './queries'

/** Every funnel that is published, with its published version; funnels that cannot be read by their ids. */
export const readPublished = queries.listPublished

/** Slug by id, of a project's funnels of any status. */
export const listFunnelSlugs = queries.listSlugs

/** A project's funnels with their drafts, by slug. */
export const listFunnels = queries.listFunnels

export interface SavedFunnel extends queries.FunnelRow {
  /** The published version. */
  published: FunnelDocument | null
}

/** A project's funnels with their published versions, by slug. */
export async function loadFunnels(handle: Handle, projectId: string): Promise<SavedFunnel[]> {
  const [rows, versions] = await Promise.all([
    queries.listFunnels(handle, projectId),
    queries.listCurrentVersions(handle, projectId),
  ])
  const documents = new Map(versions.map(({ funnelId, document }) => [funnelId, document]))
  return rows.map((row) => ({ ...row, published: documents.get(row.id) ?? null }))
}

/** A funnel as it is written. Unless the change publishes it, its published version stays as it is. */
export interface FunnelChange extends Pick<queries.FunnelRow, 'id' | 'slug' | 'name' | 'draft'> {
  /** Whether the draft becomes the next version. */
  isPublished: boolean
}

type Writable = Pick<queries.FunnelRow, 'id' | 'slug' | 'name' | 'draft'> &
  Partial<Pick<queries.FunnelRow, 'status' | 'currentVersionNo'>>

const writer: Writer<Writable> = {
  release: queries.releaseFunnels,
  remove: queries.deleteFunnels,
  insert: (handle, rows) =>
    queries.insertFunnels(
      handle,
      rows.map((row) => ({ status: 'DRAFT', currentVersionNo: null, ...row })),
    ),
  update: queries.updateFunnel,
}

/**
 * Writes a change of a project's funnels, with a new version of each one that is published. The caller has checked it,
 * and calls `touchConfig`. `by`: null = the command line.
 */
export async function writeFunnels(
  tx: Tx,
  projectId: string,
  { created, updated, deletedIds }: RowChanges<FunnelChange>,
  by: queries.FunnelVersionRow['publishedBy'],
): Promise<void> {
  const numbers = await publish(tx, projectId, [...created, ...updated], by)
  const toRow = ({ isPublished: _isPublished, ...row }: FunnelChange): Writable => {
    const currentVersionNo = numbers.get(row.id)
    return currentVersionNo === undefined ? row : { ...row, status: 'PUBLISHED', currentVersionNo }
  }
  await writeRows(tx, projectId, writer, { created: created.map(toRow), updated: updated.map(toRow), deletedIds })
}

/** Inserts the next version of each funnel that is published; returns the version numbers by funnel id. */
async function publish(
  tx: Tx,
  projectId: string,
  changes: readonly FunnelChange[],
  publishedBy: queries.FunnelVersionRow['publishedBy'],
): Promise<Map<string, number>> {
  const publishing = changes.filter(({ isPublished }) => isPublished)
  if (publishing.length === 0) return new Map()
  const last = await queries.lastVersionNos(
    tx,
    publishing.map(({ id }) => id),
  )
  const publishedAt = tx.clock.now()
  const versions = publishing.map(({ id: funnelId, draft }) => ({
    id: tx.ids.next('fnv'),
    projectId,
    funnelId,
    versionNo: (last.get(funnelId) ?? 0) + 1,
    document: { ...draft, configFormatVersion: CONFIG_FORMAT_VERSION },
    publishedAt,
    publishedBy,
  }))
  for (const version of versions) await queries.insertVersions(tx, [version]) // One document may have half a megabyte.
  return new Map(versions.map(({ funnelId, versionNo }) => [funnelId, versionNo]))
}
