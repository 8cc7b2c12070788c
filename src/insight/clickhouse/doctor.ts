import { type Check, type Examination, type Examined, ok, warn } from '../../base/cli/doctor'
import { Clickhouse } from './client'
import { analyticsStatus } from './status'

const NAME = 'ClickHouse'

/** Whether ClickHouse answers, and how far the copy is. */
export const clickhouseExamination: Examination = {
  name: 'clickhouse',
  database: async (examined) => (examined.config.analytics ? [await check(examined)] : []),
}

async function check({ config, handle }: Examined): Promise<Check> {
  if (!config.analytics) return ok(NAME, 'None is configured.')
  const client = new Clickhouse(config.analytics)
  try {
    await client.query('select 1')
  } catch (error) {
    return warn(NAME, `It does not answer (${reasonOf(error)}); check SVC_ANALYTICS_URL and the server.`)
  } finally {
    await client.close()
  }
  const { isComplete, waiting } = await analyticsStatus(handle)
  if (!isComplete) return warn(NAME, 'Not all rows are copied yet; a running server copies them: svc analytics status')
  return ok(NAME, `All rows are copied; ${waiting} changes wait to be copied.`)
}

/** What ClickHouse, or the network, said. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return String(cause instanceof Error ? cause.message : error).slice(0, 300)
}
