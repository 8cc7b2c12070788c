import { useRead } from '../../api/queries'
import { useProject } from '../../lib/session'
import { type FunnelName, funnelsIn } from './sections'

/** The funnels of the project, as its file names them. */
export function useFunnels(): FunnelName[] {
  const { path } = useProject()
  const file = useRead('/dashboard/projects/{projectId}/project-file', {
    params: { path, query: { withIds: 'true' } },
  })
  return funnelsIn(file.data?.yaml ?? '')
}
