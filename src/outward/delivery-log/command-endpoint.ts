import { Type } from '@sinclair/typebox'
import { CommandFailure } from '../../base/cli/command'
import type { Remote } from '../../base/cli/remote'
import { listRemote } from '../../base/cli/remote-list'
import { pathOf, type RemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import { kindOf } from '../deliveries/kinds'

/** Ids are taken as they are: a deleted endpoint has no name any more, but its deliveries are still listed. */
const isId = (given: string): boolean => given.startsWith('whe_')

/** The id of the endpoint that a person named, in the database of this machine. */
export async function localEndpointId(ctx: Context, projectId: string, given: string): Promise<string> {
  if (isId(given)) return given
  const found = await kindOf(ctx, 'WEBHOOK').findByName?.(ctx, projectId, given)
  return found ?? refuse(given)
}

const Named = Type.Object({ id: Type.String(), name: Type.String() })

/** As `localEndpointId`, on a server. */
export async function remoteEndpointId(remote: Remote, project: RemoteProject, given: string): Promise<string> {
  if (isId(given)) return given
  const path = pathOf(project, 'webhook-endpoints')
  const { items } = await listRemote(remote, path, { item: Named, limit: Number.POSITIVE_INFINITY })
  return items.find(({ name }) => name === given)?.id ?? refuse(given)
}

function refuse(given: string): never {
  throw new CommandFailure('NOT_FOUND', `The project has no webhook endpoint ${given}.`)
}
