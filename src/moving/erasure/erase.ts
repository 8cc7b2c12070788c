import { eq } from 'drizzle-orm'
import type { Context } from '../../base/context'
import { notFound, requireVault } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'
import { signCertificate } from './certificate'
import { type Erased, type ErasureRow, eraseRows } from './rows'

export type DataRequestRow = Context['tables']['dataRequests']['$inferSelect']

/**
 * Erases the person of a request everywhere and returns the certificate. It can be called again after any interruption.
 * Rejects when a part could not be done now; then a later call does the rest. 503 `FEATURE_NOT_CONFIGURED`
 * (`dsar_erasure`) without a master key: what must stay known of a person is known only by keyed hashes.
 */
export async function eraseSubscriber(ctx: Context, project: ProjectState, request: DataRequestRow): Promise<string> {
  requireVault(ctx, 'dsar_erasure')
  const order = { id: request.id, subscriberId: request.subscriberId }
  const erased = await eraseRows(ctx, project, order, async (keys) => ctx.state.erasedList.append(keys))
  if (!erased) throw notFound('request', request.id)
  return signCertificate(ctx, await cleanUp(ctx, project, erased))
}

/** Removes what lies outside of the rows, and what deleted rows have left in the files of the database. */
export async function cleanUp(ctx: Context, project: ProjectState, erased: Erased): Promise<ErasureRow> {
  for (const remove of ctx.hooks.afterErase ?? []) await remove(ctx, project, erased)
  await ctx.state.remains.clean()
  const { erasures: e } = ctx.tables
  const cleanedAt = ctx.clock.now()
  await ctx.write((tx) => tx.db.update(e).set({ cleanedAt }).where(eq(e.id, erased.row.id)))
  return { ...erased.row, cleanedAt }
}
