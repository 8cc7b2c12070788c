import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Confirm } from '../../kit/dialog'
import { Field, Select, TextArea } from '../../kit/field'
import { toast } from '../../kit/toast'
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
  const action = useAction({
    run: () => api.post('/admin/projects/{id}/suspend', { params: { path: { id: project.id } }, body: { reason } }),
    refreshes: REFRESHED,
    onDone: () => {
      onClose()
      toast(t.isSuspended(project.name))
    },
  })
  return (
    <Confirm
      title={t.suspendTitle(project.name)}
      action={t.suspend}
      busy={action.busy}
      error={action.error}
      reason={reason.trim() === '' ? t.reasonFirst : null}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.suspendEffect}</p>
      <Field label={t.reason} hint={t.suspendReasonHint}>
        <TextArea rows={3} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Confirm>
  )
}

export function Unsuspend({ project, onClose }: ActProps) {
  const t = useText('platform')
  const action = useAction({
    run: () => api.post('/admin/projects/{id}/unsuspend', { params: { path: { id: project.id } }, body: {} }),
    refreshes: REFRESHED,
    onDone: () => {
      onClose()
      toast(t.isOpen(project.name))
    },
  })
  return (
    <Confirm
      title={t.unsuspendTitle(project.name)}
      action={t.unsuspend}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.unsuspendEffect}</p>
    </Confirm>
  )
}

const HOURS = [1, 4, 8, 24] as const

/** Opens the project for reading, for some hours. Its owners are mailed. */
export function GrantSupport({ project, onClose }: ActProps) {
  const t = useText('platform')
  const [, go] = useLocation()
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState('1')
  const action = useAction({
    run: () =>
      api.post('/admin/projects/{id}/support-grants', {
        params: { path: { id: project.id } },
        body: { reason, hours: Number(hours) },
      }),
    refreshes: [...REFRESHED, '/dashboard/projects'],
    onDone: () => {
      go(`/p/${project.id}/overview`)
      toast(t.supportOpened(project.name))
    },
  })
  return (
    <Confirm
      title={t.supportTitle(project.name)}
      action={t.openSupport}
      busy={action.busy}
      error={action.error}
      reason={reason.trim() === '' ? t.reasonFirst : null}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
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
    </Confirm>
  )
}
