import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { QueryDatabase } from './child/protocol'
import type { QueryAnswer } from './child/spawn'
import type { Parameter } from './compile/level'
import type { RejectionReason } from './rejection'
import { recordRun } from './runs'

export interface QueryInput {
  sql: string
  /** The values of `$1`, `$2` ... */
  parameters?: readonly Parameter[]
}

/**
 * Runs a query over the views of a project and returns the JSON of a `QueryResult`. 400 `QUERY_REJECTED` with its
 * reason; 503 `ANALYTICS_UNAVAILABLE` when analytics is off, `ANALYTICS_UNREACHABLE` when ClickHouse does not answer,
 * `FEATURE_NOT_CONFIGURED` where the database is a remote one.
 */
export async function executeQuery(
  ctx: Context,
  projectId: string,
  { sql, parameters = [] }: QueryInput,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (!ctx.config.isAnalyticsOn) throw new AppError('ANALYTICS_UNAVAILABLE')
  const { timezone } = await ctx.state.projects.get(projectId)
  const request = { sql, parameters, projectId, timezone, now: ctx.clock.now() }
  const run = async (database: QueryDatabase): Promise<QueryAnswer> => {
    const answer = await ctx.state.sqlQueries.run({ ...request, database }, signal)
    if (answer || !signal?.aborted) return answer
    throw new AppError('HTTP_ERROR', undefined, { status: 408, message: 'The query was ended' })
  }
  const copied = await runOnCopy(ctx, run)
  if (copied !== 'unsupported') return resultOf(await counted(ctx, projectId, copied))
  const database = databaseOf(ctx)
  ctx.storage.assertPresent()
  return resultOf(await counted(ctx, projectId, await run(database)))
}

/** A refused query was not executed; one that was ended at a limit was. */
async function counted(ctx: Context, projectId: string, answer: QueryAnswer): Promise<QueryAnswer> {
  if (isExecuted(answer)) await ctx.write((tx) => recordRun(tx, projectId))
  return answer
}

function isExecuted(answer: QueryAnswer): boolean {
  if (!answer || answer.head.kind === 'ok') return true
  return answer.head.kind === 'rejected' && ['timeout', 'memory'].includes(answer.head.reason)
}

/** In ClickHouse, when it has all rows and can run the statement; the answer is the same. */
async function runOnCopy(
  { config, state: { analytics } }: Context,
  run: (database: QueryDatabase) => Promise<QueryAnswer>,
): Promise<QueryAnswer | 'unsupported'> {
  if (!analytics || !config.analytics || !(await analytics.isCaughtUp())) return 'unsupported'
  const answer = await run({ kind: 'clickhouse', config: config.analytics })
  return answer?.head.kind === 'unsupported' ? 'unsupported' : answer
}

/** A query of a remote libSQL server cannot be ended from here, so it is not started either. */
function databaseOf({ config: { database } }: Context): QueryDatabase {
  if (database.kind === 'file') return { kind: 'file', path: database.path }
  if (database.kind === 'postgres') return { kind: 'postgres', url: database.url }
  const message =
    'The SQL editor needs a local database file or PostgreSQL: a query on a remote libSQL server cannot be ended at its limits'
  throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'sql_editor', reason: 'remote_database' }, { message })
}

function resultOf(answer: QueryAnswer): Uint8Array {
  if (!answer) throw rejected('memory', 'The query was ended by the system, most likely for lack of memory')
  const { head, result } = answer
  if (head.kind === 'ok') return result
  if (head.kind === 'rejected') throw rejected(head.reason, head.message)
  if (head.kind === 'unreachable')
    throw new AppError('ANALYTICS_UNREACHABLE', undefined, { cause: new Error(head.message) })
  if (head.kind === 'unsupported') throw new Error(`a query is not supported: ${head.message}`)
  if (head.isUnavailable) throw new AppError('DATABASE_UNAVAILABLE', undefined, { cause: new Error(head.message) })
  throw new Error(`a query failed: ${head.message}`)
}

const rejected = (reason: RejectionReason, message: string): AppError =>
  new AppError('QUERY_REJECTED', { reason }, { message })
