import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { type Role, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { RoleField } from './role-field'

interface InviteProps {
  reason: string | null
  onClose: () => void
}

export function Invite({ reason, onClose }: InviteProps) {
  const t = useText('settings')
  const { path } = useProject()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('DEVELOPER')
  const action = useAction({
    run: () => api.post('/dashboard/projects/{projectId}/invitations', { params: { path }, body: { email, role } }),
    refreshes: ['/dashboard/projects/{projectId}/invitations'],
    onDone: ({ email: to, link }) => {
      onClose()
      toast(link === null ? t.invited(to) : t.invitedByLink(to))
    },
  })
  return (
    <Form
      submit={t.sendInvitation}
      busy={action.busy}
      error={action.error}
      reason={reason}
      onCancel={onClose}
      onSubmit={() => action.submit(undefined)}
    >
      <p className="text-sm text-ink-2">{t.inviteHint}</p>
      <Field label={t.mail} name="email">
        <TextInput data-first type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </Field>
      <RoleField role={role} onChange={setRole} />
    </Form>
  )
}
