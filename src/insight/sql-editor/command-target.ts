import { Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import { parseExact } from '../../base/lib/int64'
import { requireProject } from '../../projects/project/lookup'
import { executeQuery, type QueryInput } from './execute'
import type { QueryResult } from './model'
import { QueryResultSchema } from './operator-wire'

/** A query over a project in the database of this machine. */
export async function queryHere(
  ctx: Context,
  ref: string | undefined,
  query: QueryInput,
  signal: AbortSignal,
): Promise<QueryResult> {
  const { id } = await requireProject(ctx, ref)
  const result = await executeQuery(ctx, id, query, signal)
  return parseExact(Buffer.from(result).toString()) as QueryResult // The process of the query has written it.
}

/** A newer server may answer more. */
const Result = Type.Omit(QueryResultSchema, [], { additionalProperties: true })

/** The same over a project on a server. */
export async function queryThere(remote: Remote, ref: string | undefined, query: QueryInput): Promise<QueryResult> {
  const project = await requireRemoteProject(remote, ref)
  const result = await remote.call('POST', pathOf(project, 'queries', 'execute'), { data: Result, body: query })
  return result as QueryResult // The schema leaves the names of the types open.
}
