import { api } from '../../../api/client'
import type { Schemas } from '../../../api/schemas'
import { Dialog } from '../../../kit/dialog'
import { Switch } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Conflict } from '../shared/conflict'
import { DailyAt } from '../shared/schedule-parts'
import { useSheetEdit } from '../shared/use-sheet-edit'
import { PATH } from './model'
import { bodyOf, EMPTY_RUN, RunFields } from './run-fields'

type Saved = Schemas['ComparisonSchedule'] | null

interface ScheduleFormProps {
  saved: Saved
  onClose: () => void
}

/** The key is never shown; left empty, it stays. */
const draftOf = (saved: Saved) => ({
  ...EMPTY_RUN,
  ...(saved && { rate: String(saved.rate), sample: saved.sample === null ? '' : String(saved.sample) }),
  skipSandbox: saved?.skipSandbox ?? EMPTY_RUN.skipSandbox,
  dailyAt: saved?.dailyAt ?? '02:00',
  isEnabled: saved?.isEnabled ?? true,
})

export function ScheduleForm({ saved, onClose }: ScheduleFormProps) {
  const t = useText('moving')
  const common = useText('common')
  const { path } = useProject()
  const edit = useSheetEdit({
    saved,
    draftOf,
    save: ({ dailyAt, isEnabled, ...run }, begun, revision) =>
      api.put(`${PATH}/schedule`, {
        params: { path, ...(begun !== null && { header: { 'If-Match': `"${revision}"` } }) },
        body: { ...bodyOf(run), dailyAt, isEnabled, ...(run.key !== '' && { key: run.key }) },
      }),
    nameOf: () => common.comparisons,
    refreshes: [PATH],
    onClose,
  })
  const { draft, setDraft } = edit
  return (
    <Dialog title={t.nightly} kind="sheet" onClose={onClose}>
      <Conflict {...edit.conflict} before={{ ...draftOf(edit.begun) }} now={{ ...draftOf(saved) }} />
      <Form onSubmit={edit.submit} submit={common.save} busy={edit.busy} error={edit.error} onCancel={onClose}>
        <RunFields
          draft={draft}
          onChange={(run) => setDraft({ ...draft, ...run })}
          keyHint={saved ? t.keyStays : t.vendorKeyHint}
        />
        <DailyAt value={draft.dailyAt} onChange={(dailyAt) => setDraft({ ...draft, dailyAt })} />
        <Switch
          checked={draft.isEnabled}
          onChange={(isEnabled) => setDraft({ ...draft, isEnabled })}
          label={t.enabled}
        />
      </Form>
    </Dialog>
  )
}
