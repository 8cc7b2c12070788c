import type { ReactNode } from 'react'
import { useAction } from '../../../api/queries'
import { Confirm } from '../../../kit/dialog'
import { Field, TextInput } from '../../../kit/field'
import { toast } from '../../../kit/toast'
import { useText } from '../../../text/catalogue'

interface DailyAtProps {
  value: string
  onChange: (value: string) => void
}

export function DailyAt({ value, onChange }: DailyAtProps) {
  const t = useText('moving')
  return (
    <Field label={`${t.dailyAt} (UTC)`} name="dailyAt">
      <TextInput type="time" value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

interface RemoveScheduleProps {
  remove: () => Promise<unknown>
  /** The path of the list that it was in. */
  path: string
  onClose: () => void
  /** What it means. */
  children: ReactNode
}

export function RemoveSchedule({ remove, path, onClose, children }: RemoveScheduleProps) {
  const t = useText('moving')
  const common = useText('common')
  const action = useAction({
    run: remove,
    refreshes: [path],
    onDone: () => {
      toast(common.deleted)
      onClose()
    },
  })
  return (
    <Confirm
      title={t.removeSchedule}
      action={t.removeSchedule}
      onConfirm={() => action.submit(undefined)}
      onClose={onClose}
      busy={action.busy}
      error={action.error}
    >
      {children}
    </Confirm>
  )
}
