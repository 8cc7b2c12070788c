import { api } from '../../../api/client'
import { Dialog } from '../../../kit/dialog'
import { Checkbox, Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Conflict } from '../shared/conflict'
import { Group } from '../shared/group'
import { usePlaced } from '../shared/refusal'
import { DailyAt } from '../shared/schedule-parts'
import { useSheetEdit } from '../shared/use-sheet-edit'
import { bodyOf, COLUMN_SETS, type Draft, draftOf, FORMATS, PATH, type Schedule, TABLES } from './schedule-draft'

interface ScheduleFormProps {
  saved: Schedule | null
  onClose: () => void
  reason: string | null
}

export function ScheduleForm({ saved, onClose, reason }: ScheduleFormProps) {
  const t = useText('moving')
  const common = useText('common')
  const { path } = useProject()
  const edit = useSheetEdit({
    saved,
    draftOf,
    save: (draft, begun, revision) =>
      begun === null
        ? api.post(PATH, { params: { path }, body: bodyOf(draft) })
        : api.patch(`${PATH}/{id}`, {
            params: { path: { ...path, id: begun.id }, header: { 'If-Match': `"${revision}"` } },
            body: bodyOf(draft),
          }),
    nameOf: ({ to }) => to,
    refreshes: [PATH],
    onClose,
  })
  const { draft, setDraft } = edit
  const error = usePlaced(edit.error, (name) => name)
  return (
    <Dialog title={saved === null ? t.newExportSchedule : t.editExportSchedule} kind="sheet" onClose={onClose}>
      <Conflict {...edit.conflict} before={{ ...draftOf(edit.begun) }} now={{ ...draftOf(saved) }} />
      <Form
        onSubmit={edit.submit}
        submit={common.save}
        busy={edit.busy}
        error={error}
        onCancel={onClose}
        reason={reason}
      >
        <Content draft={draft} onChange={setDraft} />
        <Place draft={draft} onChange={setDraft} isSaved={saved !== null} />
      </Form>
    </Dialog>
  )
}

interface PartProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

function Content({ draft, onChange }: PartProps) {
  const t = useText('moving')
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <Field label={t.columnSet} name="columns" hint={t.columnSetHints[draft.columns]}>
        <Select
          value={draft.columns}
          onChange={({ target }) => set({ columns: target.value as Draft['columns'] })}
          options={COLUMN_SETS.map((one) => [one, one])}
        />
      </Field>
      {draft.columns === 'svc' && (
        <Group legend={t.tables} name="tables">
          <div className="grid grid-cols-2 gap-x-4">
            {TABLES.map((one) => (
              <Checkbox
                key={one}
                checked={draft.tables.includes(one)}
                onChange={(isOn) =>
                  set({ tables: TABLES.filter((name) => (name === one ? isOn : draft.tables.includes(name))) })
                }
                label={<span className="font-mono text-xs">{one}</span>}
              />
            ))}
          </div>
        </Group>
      )}
      <Field label={t.format} name="format">
        <Select
          value={draft.format}
          onChange={({ target }) => set({ format: target.value as Draft['format'] })}
          options={FORMATS.map((one) => [one, one])}
        />
      </Field>
      <DailyAt value={draft.dailyAt} onChange={(dailyAt) => set({ dailyAt })} />
    </>
  )
}

function Place({ draft, onChange, isSaved }: PartProps & { isSaved: boolean }) {
  const t = useText('moving')
  const fields = [
    { name: 'to', label: t.bucket, hint: t.bucketHint, example: 's3://bucket/prefix' },
    { name: 'endpoint', label: t.s3Endpoint, hint: t.s3EndpointHint, example: 'https://' },
    { name: 'region', label: t.region, hint: '', example: 'eu-central-1' },
    { name: 'accessKeyId', label: t.accessKeyId, hint: isSaved ? t.keyStays : '', example: '' },
    { name: 'secretAccessKey', label: t.secretAccessKey, hint: isSaved ? t.keyStays : t.secretKeyHint, example: '' },
  ] as const
  return fields.map(({ name, label, hint, example }) => (
    <Field key={name} label={label} name={name} hint={hint} isOptional={name === 'endpoint' || name === 'region'}>
      <TextInput
        type={name === 'secretAccessKey' ? 'password' : 'text'}
        autoComplete={name === 'secretAccessKey' ? 'new-password' : 'off'}
        spellCheck={false}
        placeholder={example}
        value={draft[name]}
        onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
        className="font-mono"
      />
    </Field>
  ))
}
