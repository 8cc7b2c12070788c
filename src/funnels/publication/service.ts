import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { type RowChanges, type Writer, writeRows } from '../../base/db/row-changes'
import { notFound } from '../../base/errors'
import { CONFIG_FORMAT_VERSION, type FunnelDocument } from '../../core/funnel/model'
import { hasPaymentAccount } from '../../projects/connections/credentials'
import * as queries from './queries'

/** Every funnel that is published, with its published version; funnels that cannot be read by their ids. */
export const readPublished = queries.listPublished

/** The published version of the funnel with a slug; null where nothing is published there. */
export const findPublishedFunnel = queries.findPublished

/** Slug by id, of a project's funnels of any status. */
export const listFunnelSlugs = queries.listSlugs

/** A project's funnels with their drafts, by slug. */
export const listFunnels = queries.listFunnels

export type { FunnelName, FunnelRow } from './queries'

export const findFunnelVersion = queries.findVersion

/** Whether the built-in test store takes the payments of a project that has no account. */
export const hasTestStore = ({ state }: Pick<Context, 'state'>, projectId: string): boolean =>
  state.testStores.sales(projectId) !== null

/** Whether visitors of a project's funnels can pay. */
export const canTakePayments = async (handle: Handle & Pick<Context, 'state'>, projectId: string): Promise<boolean> =>
  hasTestStore(handle, projectId) || hasPaymentAccount(handle, projectId)

/** The funnel, or 404. */
export async function getFunnel(handle: Handle, projectId: string, id: string): Promise<queries.FunnelRow> {
  const row = await queries.findFunnel(handle, projectId, id)
  if (!row) throw notFound('funnel', id)
  return row
}

export const findFunnel = queries.findFunnel

export const listPublishedSlugs = queries.listPublishedSlugs

export const findFunnelName = queries.findFunnelName

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

declare module '../../base/state' {
  interface SliceHooks {
    /** Before funnels are deleted: refuses it, or deletes what belongs to them. */
    onDeleteFunnels: (tx: Tx, funnelIds: readonly string[]) => Promise<void>
    /** Which of these versions of a funnel are still in use. */
    usedFunnelVersions: (handle: Handle, funnelId: string, versionNos: readonly number[]) => Promise<number[]>
  }
}

/** Deletes funnels with their versions. 409 `CONFLICT` where something was bought in one. */
export async function deleteFunnels(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const prepare of tx.hooks.onDeleteFunnels ?? []) await prepare(tx, ids)
  await queries.deleteFunnels(tx, ids)
}

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
  if (deletedIds.length > 0) for (const prepare of tx.hooks.onDeleteFunnels ?? []) await prepare(tx, deletedIds)
  await writeRows(tx, projectId, writer, { created: created.map(toRow), updated: updated.map(toRow), deletedIds })
}

/** Inserts the draft of a funnel as its next version; returns its number. */
export async function publishVersion(
  tx: Tx,
  row: queries.FunnelRow,
  by: queries.FunnelVersionRow['publishedBy'],
): Promise<number> {
  const numbers = await publish(tx, row.projectId, [{ ...row, isPublished: true }], by)
  return numbers.get(row.id) ?? 1
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
  for (const { funnelId, versionNo } of versions) await pruneVersions(tx, funnelId, versionNo - MOST_VERSIONS)
  return new Map(versions.map(({ funnelId, versionNo }) => [funnelId, versionNo]))
}

/** Versions that a funnel keeps (funnels 10). */
const MOST_VERSIONS = 500

/** Deletes the versions up to a number, but for those that a session is on. */
async function pruneVersions(tx: Tx, funnelId: string, until: number): Promise<void> {
  if (until < 1) return
  const old = await queries.listOldVersions(tx, funnelId, until)
  const used = new Set<number>()
  for (const list of tx.hooks.usedFunnelVersions ?? [])
    for (const versionNo of await list(tx, funnelId, old)) used.add(versionNo)
  const unused = old.filter((versionNo) => !used.has(versionNo))
  if (unused.length > 0) await queries.deleteVersions(tx, funnelId, unused)
}
