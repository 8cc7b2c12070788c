import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useRefresh } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Dialog } from '../../../kit/dialog'
import { Field, Switch, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Conflict, newerRevision } from '../shared/conflict'
import { PATH } from './model'
import { bodyOf, EMPTY_RUN, RunFields } from './run-fields'

interface ScheduleFormProps {
  saved: Schemas['ComparisonSchedule'] | null
  onClose: () => void
}

export function ScheduleForm({ saved, onClose }: ScheduleFormProps) {
  const t = useText('moving')
  const common = useText('common')
  const { path } = useProject()
  const refresh = useRefresh()
  const [begun] = useState(saved)
  const [draft, setDraft] = useState(() => ({
    ...EMPTY_RUN,
    ...(saved && { rate: String(saved.rate), sample: saved.sample === null ? '' : String(saved.sample) }),
    ...(saved && { skipSandbox: saved.skipSandbox }),
  }))
  const [dailyAt, setDailyAt] = useState(saved?.dailyAt ?? '02:00')
  const [isEnabled, setEnabled] = useState(saved?.isEnabled ?? true)
  const save = useAction({
    run: (revision: number | null) =>
      api.put(`${PATH}/schedule`, {
        params: { path, ...(revision !== null && { header: { 'If-Match': `"${revision}"` } }) },
        body: { ...bodyOf(draft), dailyAt, isEnabled, ...(draft.key !== '' && { key: draft.key }) },
      }),
    refreshes: [PATH],
    onDone: () => {
      toast(common.saved)
      onClose()
    },
    onFailure: (error) => newerRevision(error) !== null && refresh(PATH),
  })
  return (
    <Dialog title={t.nightly} kind="sheet" onClose={onClose}>
      <Conflict
        error={save.error}
        before={{ ...begun }}
        now={{ ...saved }}
        onLoad={onClose}
        onOverwrite={save.submit}
      />
      <Form
        onSubmit={() => save.submit(begun?.revision ?? null)}
        submit={common.save}
        busy={save.busy}
        error={newerRevision(save.error) === null ? save.error : null}
        onCancel={onClose}
      >
        <RunFields draft={draft} onChange={setDraft} keyHint={saved ? t.keyStays : t.vendorKeyHint} />
        <Field label={`${t.dailyAt} (UTC)`} name="dailyAt">
          <TextInput type="time" value={dailyAt} onChange={({ target }) => setDailyAt(target.value)} />
        </Field>
        <Switch checked={isEnabled} onChange={setEnabled} label={t.enabled} />
      </Form>
    </Dialog>
  )
}
