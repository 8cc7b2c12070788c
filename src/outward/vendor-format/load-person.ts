import type { Context } from '../../base/context'
import { findSubscriber, isDetached, resolveRow } from '../../people/subscribers/service'
import { listAssignments } from '../../targeting/experiments/queries'
import type { Person } from './facts'
import { type KeyRow, listFamily } from './queries'

/**
 * The person of an event, as they are now: whoever the row was merged into, with the keys of all rows together. Null
 * when there is no row.
 */
export async function loadPerson(ctx: Context, projectId: string, subscriberId: string): Promise<Person | null> {
  const row = await findSubscriber(ctx, projectId, subscriberId)
  if (!row) return null
  const { id, appUserId, attributes, erasedAt } = await resolveRow(ctx, row)
  const [family, assignments] = await Promise.all([listFamily(ctx, id), listAssignments(ctx, id)])
  return {
    subscriberId: id,
    isErased: erasedAt !== null || row.erasedAt !== null,
    deviceKey: isDetached(row) ? null : row.deviceKey,
    keys: keysOf(family),
    label: appUserId,
    attributes,
    experiments: assignments.flatMap(({ experimentId, variantId, exposedAt }) =>
      exposedAt === null ? [] : [{ experimentId, variantId, exposedAt }],
    ),
  }
}

/**
 * The device keys of rows, in their order. The key that a row lost to another person is left out, so that a receiver
 * never takes two people for one.
 */
export const keysOf = (rows: readonly KeyRow[]): string[] =>
  rows.filter((row) => row.erasedAt === null && !isDetached(row)).map(({ deviceKey }) => deviceKey)
