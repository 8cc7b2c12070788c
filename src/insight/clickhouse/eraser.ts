import type { Context } from '../../base/context'

/** How long a request waits for ClickHouse to say what its user may do. */
const PATIENCE_MS = 2000

/**
 * Whether the data of erased people can be removed wherever figures are read from. In ClickHouse a row is replaced by
 * an insert and leaves the disk by `OPTIMIZE`, which not every user may run. While ClickHouse does not answer, or is too
 * old to say, the answer is yes: what is to be removed waits for it.
 */
export async function canErase({ state: { analytics }, config }: Context): Promise<boolean> {
  if (!analytics || !config.analytics) return true
  const rights = analytics.client.query(`CHECK GRANT OPTIMIZE, INSERT ON "${config.analytics.database}".*`)
  const mayErase = rights.then(
    ([row]) => String(row?.[0]) !== '0',
    () => true,
  )
  return Promise.race([mayErase, Bun.sleep(PATIENCE_MS).then(() => true)])
}
