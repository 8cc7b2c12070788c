import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Facts } from '../../kit/card'
import { Confirm } from '../../kit/dialog'
import { toast } from '../../kit/toast'
import { useProject, useSession } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Makes another member the owner. The caller becomes an admin. */
export function Transfer({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const t = useText('settings')
  const { path, project } = useProject()
  const { me } = useSession()
  const action = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/transfer', { params: { path }, body: { userId: member.userId } }),
    refreshes: ['/dashboard/projects'],
    onDone: () => {
      onClose()
      toast(t.transferred(member.name))
    },
  })
  return (
    <Confirm
      title={t.transferTitle(project.name, member.name)}
      action={t.transfer}
      typed={project.slug}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.transferEffect}</p>
      <Facts
        items={[
          [member.email, `${t.roleName[member.role]} → ${t.roleName.OWNER}`],
          [me.email, `${t.roleName.OWNER} → ${t.roleName.ADMIN}`],
        ]}
      />
    </Confirm>
  )
}
