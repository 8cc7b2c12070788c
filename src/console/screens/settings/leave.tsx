import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { useAction, useRead, useRefresh } from '../../api/queries'
import { Confirm } from '../../kit/dialog'
import { toast } from '../../kit/toast'
import { useProject, useSession } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Leaving the project. The only owner must make another one first. */
export function Leave({ onClose }: { onClose: () => void }) {
  const t = useText('settings')
  const { path, project } = useProject()
  const { me } = useSession()
  const reason = useOnlyOwner()(me.id)
  const [, go] = useLocation()
  const refresh = useRefresh()
  const action = useAction({
    run: () => api.post('/dashboard/projects/{projectId}/leave', { params: { path }, body: {} }),
    onDone: () => {
      go('/projects')
      refresh('/dashboard/projects')
      toast(t.left(project.name))
    },
  })
  return (
    <Confirm
      title={t.leaveTitle(project.name)}
      action={t.leave}
      busy={action.busy}
      error={action.error}
      reason={reason}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.leaveEffect}</p>
      {reason !== null && <p className="font-medium text-ink">{reason}</p>}
    </Confirm>
  )
}

/** Why this member must stay an owner: there is no other one. Null when there is, or when it is not known. */
export function useOnlyOwner(): (userId: string) => string | null {
  const t = useText('settings')
  const { path } = useProject()
  const members = useRead('/dashboard/projects/{projectId}/members', { params: { path, query: { limit: 200 } } })
  const owners = members.data?.items.filter(({ role }) => role === 'OWNER') ?? []
  const isAlone = owners.length === 1 && members.data?.nextCursor === null
  return (userId) => (isAlone && owners[0]?.userId === userId ? t.onlyOwner : null)
}
