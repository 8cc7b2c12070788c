import type { StoredBlob } from '../../base/blobs/blobs'
import { announceFiles, removeFiles, settleFiles } from '../../base/blobs/unsettled'
import type { Context } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import { editDashboard, type ProjectActor } from '../../projects/project/edit'
import { assetEntry } from './audit-entry'
import { folderOf, keyOf } from './model'
import type { Prepared } from './picture'
import { type AssetRow, insertAsset } from './queries'
import { refuseFull, withStorage } from './storage'

/** Names of the asset before anything is stored. */
export type Named = Pick<AssetRow, 'id' | 'kind' | 'name'>

/** What was made of a file. */
export interface Given extends Prepared {
  sourceBytes: number
}

export async function storePrepared(ctx: Context, by: ProjectActor, named: Named, given: Given): Promise<void> {
  const { main, smaller, contentType, width, height, format, hadMetadata, sourceBytes } = given
  const place = { projectId: by.projectId, id: named.id }
  const storedBytes = [main, ...smaller.values()].reduce((sum, form) => sum + form.length, 0)
  await withFiles(ctx, folderOf(place), async () => {
    await write(ctx, keyOf(place, null), main)
    for (const [wide, bytes] of smaller) await write(ctx, keyOf(place, wide), bytes)
    await commit(ctx, by, {
      ...{ ...named, contentType, hash: hashOf(sha256Hex(main)), bytes: main.length, storedBytes },
      ...{ width, height, widths: [...smaller.keys()] },
      source: { format, bytes: sourceBytes, hadMetadata },
    })
  })
}

const write = (ctx: Context, key: string, bytes: Uint8Array): Promise<StoredBlob> =>
  ctx.state.blobs.write(key, new Blob([bytes]).stream())

/** Half of it is enough for an address that cannot be guessed. */
export const hashOf = (sha256: string): string => sha256.slice(0, 32)

/** Announces the files before the first of them is written, so that a sweep finds them after a crash. */
export async function withFiles(ctx: Context, folder: string, work: () => Promise<void>): Promise<void> {
  await ctx.write((tx) => announceFiles(tx, folder))
  try {
    await withStorage(work)
  } catch (error) {
    await removeFiles(ctx, folder).catch(() => {}) // The sweep removes them later; this error is the one to report.
    throw error
  }
}

type Stored = Omit<AssetRow, 'projectId' | 'alt' | 'uploadedBy' | 'createdAt' | 'updatedAt'>

/** The asset exists from here on, with all of its files. */
export const commit = (ctx: Context, by: ProjectActor, stored: Stored): Promise<void> =>
  editDashboard(ctx, by, async ({ tx, projectId, now, entries }) => {
    await refuseFull(tx, projectId, stored.storedBytes)
    const { id, email } = by.actor
    const row = { ...stored, projectId, alt: {}, uploadedBy: { id, email }, createdAt: now, updatedAt: now }
    await insertAsset(tx, row)
    await settleFiles(tx, folderOf(row))
    entries.push(assetEntry('create', null, row))
  })
