import { api } from '../../api/client'
import type { Schemas } from '../../api/schemas'
import { Facts } from '../../kit/card'
import { useProject, useSession } from '../../lib/session'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'

/** Makes another member the owner. The caller becomes an admin. */
export function Transfer({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const t = useText('settings')
  const { path, project } = useProject()
  const { me } = useSession()
  return (
    <Removal
      title={t.transferTitle(project.name, member.name)}
      word={t.transfer}
      typed={project.slug}
      done={t.transferred(member.name)}
      run={() =>
        api.post('/dashboard/projects/{projectId}/transfer', { params: { path }, body: { userId: member.userId } })
      }
      refreshes={['/dashboard/projects']}
      onClose={onClose}
    >
      <p>{t.transferEffect}</p>
      <Facts
        items={[
          [member.email, `${t.roleName[member.role]} → ${t.roleName.OWNER}`],
          [me.email, `${t.roleName.OWNER} → ${t.roleName.ADMIN}`],
        ]}
      />
    </Removal>
  )
}
