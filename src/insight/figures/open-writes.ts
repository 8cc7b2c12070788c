import { sql } from 'drizzle-orm'
import type { Context } from '../../base/context'
import { monotonicMs, SECOND } from '../../base/lib/clock'

const WAIT_MS = 10 * SECOND
const PAUSE_MS = 25

/**
 * PostgreSQL shows the rows of a transaction when it commits, with instants from before. So an export first waits for
 * the transactions that were writing when its window was closed. Returns for how many milliseconds the oldest one that
 * would not end has been open; 0 = all have ended, or the database has one writer.
 */
export async function waitForOpenWrites(ctx: Context): Promise<number> {
  if (ctx.storage.driver !== 'postgres') return 0
  const known = new Set((await listOpenWrites(ctx)).map(({ name }) => name))
  for (const until = monotonicMs() + WAIT_MS; known.size > 0; await Bun.sleep(PAUSE_MS)) {
    const open = (await listOpenWrites(ctx)).filter(({ name }) => known.has(name))
    if (open.length === 0) return 0
    if (monotonicMs() >= until) return Math.max(...open.map(({ ageMs }) => ageMs))
  }
  return 0
}

/** Transactions that have written something, in this database. */
async function listOpenWrites({ db }: Pick<Context, 'db'>): Promise<{ name: string; ageMs: number }[]> {
  const isWriting = sql`datname = current_database() and backend_xid is not null`
  const rows = await db
    .select({
      name: sql<string>`pid::text || ':' || backend_xid::text`,
      ageMs: sql<string>`extract(epoch from clock_timestamp() - xact_start) * 1000`,
    })
    .from(sql`pg_stat_activity`)
    .where(isWriting)
  return rows.map(({ name, ageMs }) => ({ name, ageMs: Math.ceil(Number(ageMs)) }))
}
