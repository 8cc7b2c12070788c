import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { MIRRORED, tableNameOf } from './mirror'
import { countChanges, listTables } from './queries'

/** How far the copy is. */
export interface AnalyticsStatus {
  tables: { name: string; copied: number; isComplete: boolean }[]
  /** Changes that are not copied yet. */
  waiting: number
  isComplete: boolean
}

export async function analyticsStatus(handle: Handle): Promise<AnalyticsStatus> {
  const rows = new Map((await listTables(handle)).map((row) => [row.tableName, row]))
  const tables = MIRRORED.map((one) => {
    const name = tableNameOf(handle.tables, one)
    const row = rows.get(name)
    return { name, copied: row?.copied ?? 0, isComplete: row?.doneUntil === null }
  })
  return { tables, waiting: await countChanges(handle), isComplete: tables.every(({ isComplete }) => isComplete) }
}

/** How long `/health/ready` waits for ClickHouse. */
const PATIENCE_MS = 2000

/** For `/health/ready`: nothing but figures needs ClickHouse, so without it the server is degraded and works. */
export async function checkMirror({ state: { analytics } }: Context): Promise<'degraded' | 'absent' | undefined> {
  if (!analytics) return 'absent'
  const answer = analytics.client.query('select 1').then(
    () => undefined,
    () => 'degraded' as const,
  )
  return Promise.race([answer, Bun.sleep(PATIENCE_MS).then(() => 'degraded' as const)])
}
