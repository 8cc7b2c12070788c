import { useRead } from '../../api/queries'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Why this member must stay an owner: there is no other one. Null when there is, or when it is not known. */
export function useOnlyOwner(): (userId: string) => string | null {
  const t = useText('settings')
  const { path } = useProject()
  const members = useRead('/dashboard/projects/{projectId}/members', { params: { path, query: { limit: 200 } } })
  const owners = members.data?.items.filter(({ role }) => role === 'OWNER') ?? []
  const isAlone = owners.length === 1 && members.data?.nextCursor === null
  return (userId) => (isAlone && owners[0]?.userId === userId ? t.onlyOwner : null)
}
