import { BlobsUnavailable } from '../../base/blobs/blobs'
import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { type StorageUsage, usageOf } from './model'
import { sumBytes } from './queries'

type Hooked = Handle & Pick<Context, 'clock' | 'config' | 'hooks'>

/** How much of its storage a project uses. */
export async function storageUsage(handle: Hooked, projectId: string): Promise<StorageUsage> {
  return usageOf(await sumBytes(handle, projectId), await limitOf(handle, projectId))
}

async function limitOf(handle: Hooked, projectId: string): Promise<number | null> {
  const limits = await Promise.all((handle.hooks.assetLimit ?? []).map((limit) => limit(handle, projectId)))
  const given = limits.filter((limit) => limit !== null)
  return given.length === 0 ? null : Math.min(...given)
}

/** 402 `ASSET_QUOTA_EXCEEDED` where so many more bytes do not fit. Inside a write no other upload can take the room. */
export async function refuseFull(handle: Hooked | Tx, projectId: string, bytes: number): Promise<void> {
  const usage = await storageUsage(handle, projectId)
  if (usage.limitBytes !== null && usage.bytes + bytes > usage.limitBytes) throw new AppError('ASSET_QUOTA_EXCEEDED')
}

/** 503 `ASSET_STORAGE_UNAVAILABLE` while files cannot be stored. */
export async function refuseUnusable({ config, state }: Context): Promise<void> {
  if (config.storage.kind === 'none') throw unavailable('This server keeps no files; set SVC_STORAGE_URL')
  if (!(await state.storageHealth.isWorking())) throw unavailable()
}

const unavailable = (message?: string, cause?: unknown): AppError =>
  new AppError('ASSET_STORAGE_UNAVAILABLE', undefined, { ...(message !== undefined && { message }), cause })

/** Runs work with the blob store; what that throws becomes a refusal. */
export async function withStorage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BlobsUnavailable ? unavailable(undefined, error) : error
  }
}
