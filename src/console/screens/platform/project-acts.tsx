import { useState } from 'react'
import { api } from '../../api/client'
import type { Schemas } from '../../api/schemas'
import { Field, Select, TextArea } from '../../kit/field'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'

interface ActProps {
  project: Schemas['ProjectDetails']
  onClose: () => void
}

const REFRESHED = ['/admin']

/** Closes the console of the project for its members. Apps continue. */
export function Suspend({ project, onClose }: ActProps) {
  const t = useText('platform')
  const [reason, setReason] = useState('')
  return (
    <Removal
      title={t.suspendTitle(project.name)}
      word={t.suspend}
      done={t.isSuspended(project.name)}
      run={() => api.post('/admin/projects/{id}/suspend', { params: { path: { id: project.id } }, body: { reason } })}
      refreshes={REFRESHED}
      reason={reason.trim() === '' ? t.reasonFirst : null}
      onClose={onClose}
    >
      <p>{t.suspendEffect}</p>
      <Field label={t.reason} hint={t.suspendReasonHint}>
        <TextArea rows={3} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Removal>
  )
}

export function Unsuspend({ project, onClose }: ActProps) {
  const t = useText('platform')
  return (
    <Removal
      title={t.unsuspendTitle(project.name)}
      word={t.unsuspend}
      done={t.isOpen(project.name)}
      run={() => api.post('/admin/projects/{id}/unsuspend', { params: { path: { id: project.id } }, body: {} })}
      refreshes={REFRESHED}
      onClose={onClose}
    >
      <p>{t.unsuspendEffect}</p>
    </Removal>
  )
}

const HOURS = [1, 4, 8, 24] as const

/** Opens the project for reading, for some hours. Its owners are mailed. */
export function GrantSupport({ project, onClose }: ActProps) {
  const t = useText('platform')
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState('1')
  return (
    <Removal
      title={t.supportTitle(project.name)}
      word={t.openSupport}
      done={t.supportOpened(project.name)}
      run={() =>
        api.post('/admin/projects/{id}/support-grants', {
          params: { path: { id: project.id } },
          body: { reason, hours: Number(hours) },
        })
      }
      refreshes={[...REFRESHED, '/dashboard/projects']}
      next={`/p/${project.id}/overview`}
      reason={reason.trim() === '' ? t.reasonFirst : null}
      onClose={onClose}
    >
      <p>{t.supportEffect}</p>
      <Field label={t.reason} hint={t.supportReasonHint}>
        <TextArea rows={3} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <Field label={t.howLong}>
        <Select
          value={hours}
          options={HOURS.map((one) => [String(one), t.hours(one)] as const)}
          onChange={(event) => setHours(event.target.value)}
        />
      </Field>
    </Removal>
  )
}
