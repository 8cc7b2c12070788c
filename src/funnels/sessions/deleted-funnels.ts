import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import type { SliceHooks } from '../../base/state'
import { deleteSessions } from './retention'

const AT_ONCE = 500

/** A funnel with a paid session is not deleted. Unpaid sessions are deleted with their funnel. */
export const deleteWithFunnels: SliceHooks['onDeleteFunnels'] = async (tx, funnelIds) => {
  const { funnelSessions: s } = tx.tables
  const isOf = inArray(s.funnelId, [...funnelIds])
  const [paid] = await tx.db
    .select({ id: s.id })
    .from(s)
    .where(and(isOf, isNotNull(s.paidAt)))
    .limit(1)
  if (paid)
    throw new AppError(
      'CONFLICT',
      { reason: 'has_payments' },
      { message: 'Somebody has bought in this funnel, so it stays; archive it instead' },
    )
  for (let ids = await someOf(tx, funnelIds); ids.length > 0; ids = await someOf(tx, funnelIds))
    await deleteSessions(tx, ids)
}

async function someOf({ db, tables: { funnelSessions: s } }: Tx, funnelIds: readonly string[]): Promise<string[]> {
  const found = db
    .select({ id: s.id })
    .from(s)
    .where(inArray(s.funnelId, [...funnelIds]))
  return (await found.limit(AT_ONCE)).map(({ id }) => id)
}

/** The versions that sessions are on. */
export async function versionsInUse(
  { db, tables: { funnelSessions: s } }: Handle,
  funnelId: string,
  versionNos: readonly number[],
): Promise<number[]> {
  const isOn = and(eq(s.funnelId, funnelId), inArray(s.versionNo, [...versionNos]))
  const rows = await db.selectDistinct({ versionNo: s.versionNo }).from(s).where(isOn)
  return rows.map(({ versionNo }) => versionNo)
}
