import { pathToFileURL } from 'node:url'
import { ThreadConnection } from '../../../base/db/thread-connection'
import type { Compiled } from '../compile/compile'
import type { QueryLimits } from './protocol'
import type { Cell } from './result'

/**
 * Reads from the local file, in a thread: the driver cannot be interrupted, and the main thread must see when the time
 * is over. The file is opened for reading only, and the library gets no more memory than the limit.
 */
export async function querySqlite(path: string, { sql, values }: Compiled, limits: QueryLimits): Promise<Cell[][]> {
  const connection = new ThreadConnection(`${pathToFileURL(path).href}?mode=ro`)
  const settings = [
    'query_only = 1',
    'trusted_schema = 0',
    'case_sensitive_like = 1',
    'temp_store = 2',
    `hard_heap_limit = ${limits.databaseBytes}`,
  ]
  for (const setting of settings) await connection.execute({ sql: `PRAGMA ${setting}`, args: [] })
  const { rows } = await connection.execute({ sql, args: [...values] })
  return rows as unknown as Cell[][]
}
