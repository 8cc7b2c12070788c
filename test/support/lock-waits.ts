import { sql } from 'drizzle-orm'
import type { Context } from '../../src/base/context'

/** On PostgreSQL: whether a transaction of this database waits for a lock that another one holds. */
export async function isLockWaitedFor({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const isHere = sql`database = (select oid from pg_database where datname = current_database())`
  const waiting = db.select({ one: sql`1` }).from(sql`pg_locks`)
  return (await waiting.where(sql`locktype = 'advisory' and not granted and ${isHere}`)).length > 0
}

export async function untilLockIsWaitedFor(ctx: Pick<Context, 'db'>): Promise<void> {
  while (!(await isLockWaitedFor(ctx)));
}
