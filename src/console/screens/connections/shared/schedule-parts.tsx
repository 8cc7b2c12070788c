import type { ReactNode } from 'react'
import { Field, TextInput } from '../../../kit/field'
import { Removal } from '../../../parts/removal'
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
  return (
    <Removal
      title={t.removeSchedule}
      word={t.removeSchedule}
      done={t.scheduleDeleted}
      run={remove}
      refreshes={[path]}
      onClose={onClose}
    >
      {children}
    </Removal>
  )
}
