import type { AssetKind } from '../../core/funnel/files'
import type { AssetRow } from './queries'

const MB = 1024 * 1024

/** The largest files (wire 6). */
export const MAX_BYTES: Readonly<Record<AssetKind, number>> = { image: 10 * MB, lottie: 2 * MB, video: 50 * MB }

const MAX_NAME = 120

/** Whether a file can have this name. It is for people only; no address is made of it. */
export const isAssetName = (name: string): boolean =>
  name.length <= MAX_NAME && /^[A-Za-z0-9 ._-]+$/.test(name) && name.trim() !== ''

/** The folder of the files of an asset. No part of it comes from a request. */
export const folderOf = ({ projectId, id }: Pick<AssetRow, 'projectId' | 'id'>): string => `assets/${projectId}/${id}`

/** The key of a form: the width of a smaller one, or null. */
export const keyOf = (row: Pick<AssetRow, 'projectId' | 'id'>, width: number | null): string =>
  `${folderOf(row)}/${width === null ? 'main' : `w${width}`}`

/** The path at which an asset is served. Its bytes never change, so it can be kept for ever. */
export const assetPath = ({ projectId, id, hash }: Pick<AssetRow, 'projectId' | 'id' | 'hash'>): string =>
  `/assets/${projectId}/${id}/${hash}`

/** How much of a project's storage is used. */
export interface StorageUsage {
  bytes: number
  /** Null = there is no limit. */
  limitBytes: number | null
  level: 'ok' | 'near' | 'full'
}

const NEAR = 0.8

export function usageOf(bytes: number, limitBytes: number | null): StorageUsage {
  const share = limitBytes === null ? 0 : bytes / limitBytes
  return { bytes, limitBytes, level: share >= 1 ? 'full' : share >= NEAR ? 'near' : 'ok' }
}
