import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Dialog } from '../../kit/dialog'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { type Role, useProject } from '../../lib/session'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'
import { RoleField } from './role-field'

interface ActProps {
  member: Schemas['Member']
  onClose: () => void
}

const MEMBERS = '/dashboard/projects/{projectId}/members'

export function ChangeRole({ member, onClose }: ActProps) {
  const t = useText('settings')
  const c = useText('common')
  const { path } = useProject()
  const [role, setRole] = useState<Role>(member.role)
  const action = useAction({
    run: () =>
      api.patch('/dashboard/projects/{projectId}/members/{userId}', {
        params: {
          path: { ...path, userId: member.userId },
          header: { 'If-Match': `"${member.revision}"` },
        },
        body: { role },
      }),
    refreshes: ['/dashboard/projects'],
    onDone: (saved) => {
      onClose()
      toast(c.savedName(saved.name))
    },
  })
  return (
    <Dialog title={t.roleOf(member.name)} onClose={onClose}>
      <Form
        submit={c.save}
        busy={action.busy}
        error={action.error}
        onCancel={onClose}
        onSubmit={() => action.submit(undefined)}
      >
        <RoleField role={role} onChange={setRole} />
      </Form>
    </Dialog>
  )
}

export function RemoveMember({ member, onClose }: ActProps) {
  const t = useText('settings')
  const c = useText('common')
  const { path, project } = useProject()
  return (
    <Removal
      title={t.removeTitle(member.name)}
      word={c.remove}
      done={t.removed(member.name)}
      run={() =>
        api.delete('/dashboard/projects/{projectId}/members/{userId}', {
          params: {
            path: { ...path, userId: member.userId },
            header: { 'If-Match': `"${member.revision}"` },
          },
        })
      }
      refreshes={[MEMBERS]}
      onClose={onClose}
    >
      <p>{t.removeEffect(member.email, project.name)}</p>
    </Removal>
  )
}
