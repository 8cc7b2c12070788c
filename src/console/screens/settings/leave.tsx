import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { useAction, useRefresh } from '../../api/queries'
import { Confirm } from '../../kit/dialog'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Leaving the project. The last owner is refused by the server, with the reason. */
export function Leave({ onClose }: { onClose: () => void }) {
  const t = useText('settings')
  const { path, project } = useProject()
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
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.leaveEffect}</p>
    </Confirm>
  )
}
