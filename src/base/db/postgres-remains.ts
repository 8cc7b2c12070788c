import type { ReservedSql, Sql } from 'postgres'
import { quoteName } from './dump'

const PAUSE_MS = 100
const PATIENCE_MS = 60_000
/** How long others may have to wait behind an attempt to get a table for itself. */
const LOCK_TIMEOUT_MS = 500
const ATTEMPTS = 60

/**
 * Writes tables anew, with their TOAST tables and indexes, because PostgreSQL leaves the bytes of rows that are gone in
 * its pages: a VACUUM only makes their room usable again. A table cannot be used while it is written, so each is written
 * on its own. The statistics of the columns, which quote values, are collected anew.
 */
export async function rewriteTables(client: Sql, tables: readonly string[]): Promise<void> {
  const connection = await client.reserve()
  try {
    await connection.unsafe('set statement_timeout = 0')
    await connection.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await untilNobodySeesThem(connection)
    for (const table of tables) await patiently(() => connection.unsafe(`vacuum (full, analyze) ${quoteName(table)}`))
    await patiently(() => connection.unsafe('vacuum full pg_catalog.pg_statistic'))
  } finally {
    await connection.unsafe('reset statement_timeout').catch(() => {})
    await connection.unsafe('reset lock_timeout').catch(() => {})
    connection.release()
  }
}

/** A row that an open transaction may still see is copied, so every transaction that started before must have ended. */
async function untilNobodySeesThem(connection: ReservedSql): Promise<void> {
  const [row] = await connection.unsafe('select pg_current_xact_id()::xid::text as id')
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const [found] = await connection.unsafe(
      `select count(*)::int as count from pg_stat_activity where pid <> pg_backend_pid()
       and backend_xmin is not null and age(backend_xmin) > age('${row?.id}'::xid)`,
    )
    if (found?.count === 0) return
    if (waitedMs >= PATIENCE_MS) throw new Error('a transaction that began long ago still sees rows that are gone')
    await Bun.sleep(PAUSE_MS)
  }
}

/** PostgreSQL's code for a lock that was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03'

async function patiently(work: () => PromiseLike<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error
      await Bun.sleep(PAUSE_MS * attempt)
    }
  }
}
