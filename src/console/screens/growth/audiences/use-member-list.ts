import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'

/** Sends the list of ids of an audience; one without ids deletes it. */
export function useMemberList(id: string) {
  const { path } = useProject()
  const send = (list: Blob) =>
    api.putText('/dashboard/projects/{projectId}/audiences/{id}/members', { params: { path: { ...path, id } } }, list)
  return { send }
}
