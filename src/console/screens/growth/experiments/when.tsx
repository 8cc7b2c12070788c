import { useState } from 'react'
import { useEvery } from '../../../api/every'
import { Card, Facts } from '../../../kit/card'
import { DateInput } from '../../../kit/date-input'
import type { Draft } from '../../../kit/draft'
import { Field, Select } from '../../../kit/field'
import { Time } from '../../../kit/values'
import { useProject, useReading } from '../../../lib/session'
import { instantOf, wallOf } from '../../../parts/instants'
import { useText } from '../../../text/catalogue'
import { type ExperimentState, type ExperimentView, variantsOf } from './model'

interface WhenProps {
  draft: Draft<ExperimentState>
  experiment: ExperimentView | null
}

/** When it starts and ends by itself, and where it is shown. */
export function When({ draft: { value, set }, experiment }: WhenProps) {
  const t = useText('growth')
  const common = useText('common')
  const { path } = useProject()
  const { zone } = useReading()
  const { items: placements } = useEvery('/dashboard/projects/{projectId}/placements', {
    params: { path, query: { limit: 200 } },
  })
  const put = (change: Partial<ExperimentState>) => set((state) => ({ ...state, ...change }))
  return (
    <Card title={t.when}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-3">
        <Field label={t.scheduledStart} name="scheduledStartAt" hint={t.timesAreIn(zone)} isOptional>
          <WallTime
            zone={zone}
            value={value.scheduledStartAt}
            onChange={(scheduledStartAt) => put({ scheduledStartAt })}
          />
        </Field>
        <Field label={t.scheduledStop} name="scheduledStopAt" hint={t.timesAreIn(zone)} isOptional>
          <WallTime
            zone={zone}
            value={value.scheduledStopAt}
            onChange={(scheduledStopAt) => put({ scheduledStopAt })}
          />
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
            [t.winner, variantsOf(experiment).find(({ id }) => id === experiment.winnerVariantId)?.name ?? null],
          ]}
        />
      )}
    </Card>
  )
}

interface WallTimeProps {
  value: string | null
  zone: string
  onChange: (value: string | null) => void
}

/** A time in the reader's zone. What is typed stays, also while it is not yet the year that is meant. */
function WallTime({ value, zone, onChange }: WallTimeProps) {
  const [typed, setTyped] = useState<{ wall: string; at: string | null } | null>(null)
  const wall = typed?.at === value ? typed.wall : value === null ? '' : wallOf(Date.parse(value), zone)
  return (
    <DateInput
      hasTime
      value={wall}
      onChange={(next) => {
        const at = instantOf(next, zone)
        setTyped({ wall: next, at })
        onChange(at)
      }}
    />
  )
}
