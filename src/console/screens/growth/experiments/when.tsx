import { useEvery } from '../../../api/every'
import { Card, Facts } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Field, Select, TextInput } from '../../../kit/field'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { ExperimentState, ExperimentView } from './model'

interface WhenProps {
  draft: Draft<ExperimentState>
  experiment: ExperimentView | null
}

/** When it starts and ends by itself, and where it is shown. */
export function When({ draft: { value, set }, experiment }: WhenProps) {
  const t = useText('growth')
  const common = useText('common')
  const { path } = useProject()
  const { items: placements } = useEvery('/dashboard/projects/{projectId}/placements', {
    params: { path, query: { limit: 200 } },
  })
  const put = (change: Partial<ExperimentState>) => set((state) => ({ ...state, ...change }))
  return (
    <Card title={t.when}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-3">
        <Field label={t.scheduledStart} name="scheduledStartAt" hint={t.timesAreLocal} isOptional>
          <LocalTime value={value.scheduledStartAt} onChange={(scheduledStartAt) => put({ scheduledStartAt })} />
        </Field>
        <Field label={t.scheduledStop} name="scheduledStopAt" hint={t.timesAreLocal} isOptional>
          <LocalTime value={value.scheduledStopAt} onChange={(scheduledStopAt) => put({ scheduledStopAt })} />
        </Field>
        <Field label={t.kinds.placement} name="placementId" isOptional>
          <Select
            value={value.placementId ?? ''}
            onChange={({ target }) => put({ placementId: target.value === '' ? null : target.value })}
            options={[['', common.none], ...placements.map(({ id, identifier }) => [id, identifier] as const)]}
          />
        </Field>
      </div>
      {experiment?.startedAt && (
        <Facts
          items={[
            [t.startedAt, <Time key="s" at={experiment.startedAt} />],
            [t.completedAt, <Time key="c" at={experiment.completedAt} />],
            [t.winner, experiment.winnerVariantId],
          ]}
        />
      )}
    </Card>
  )
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** A time in the zone of the browser. */
function LocalTime({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const at = value === null ? null : new Date(value)
  const text = at
    ? `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`
    : ''
  return (
    <TextInput
      type="datetime-local"
      value={text}
      onChange={({ target }) => onChange(target.value === '' ? null : new Date(target.value).toISOString())}
    />
  )
}
