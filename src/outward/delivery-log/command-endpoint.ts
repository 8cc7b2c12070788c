import { Type } from '@sinclair/typebox'
import { CommandFailure } from '../../base/cli/command'
import type { ProjectApi } from '../../projects/project/project-api'

const Named = Type.Object({ id: Type.String(), name: Type.String() })

/**
 * The id of the endpoint that a person named. An id is taken as it is: a deleted endpoint has no name any more, but its
 * deliveries are still listed.
 */
export async function endpointIdOf(project: ProjectApi, given: string): Promise<string> {
  if (given.startsWith('whe_')) return given
  const { items } = await project.list(['webhook-endpoints'], { item: Named, limit: Number.POSITIVE_INFINITY })
  const found = items.find(({ name }) => name === given)
  if (!found) throw new CommandFailure('NOT_FOUND', `The project has no webhook endpoint ${given}.`)
  return found.id
}
