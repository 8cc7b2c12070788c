import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { readPercents, writePercents } from './usage-model'

const PATH = '/dashboard/projects/{projectId}/billing/budget'

/** The budget: at which shares of the plan people get an alert, and at which telemetry stops. Shown to those who may change it. */
export function UsageBudget() {
  const t = useText('usage')
  const { path, hasRole } = useProject()
  const isShown = hasRole('ADMIN')
  const found = useRead(PATH, { params: { path } }, { enabled: isShown })
  if (!isShown) return null
  return (
    <Card title={t.budget}>
      <div className="grid max-w-xl gap-4">
        <p className="text-sm text-ink-2">{t.budgetPurpose}</p>
        {found.data && <BudgetForm saved={found.data} />}
        {!found.data && found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
        {!found.data && !found.error && <Skeleton lines={4} />}
      </div>
    </Card>
  )
}

interface Faults {
  marks: string | null
  stop: string | null
}

function BudgetForm({ saved }: { saved: Schemas['Budget'] }) {
  const t = useText('usage')
  const c = useText('common')
  const { path } = useProject()
  const [marks, setMarks] = useState(writePercents(saved.alertsAt))
  const [stop, setStop] = useState(String(saved.stopTelemetryAt ?? ''))
  const [faults, setFaults] = useState<Faults>({ marks: null, stop: null })
  const action = useAction({
    run: (body: Schemas['Budget']) => api.put(PATH, { params: { path }, body }),
    refreshes: [PATH],
    onDone: ({ alertsAt }) => {
      setMarks(writePercents(alertsAt))
      toast(c.savedName(t.budget))
    },
  })
  const submit = () => {
    const alertsAt = readPercents(marks, 5)
    const stops = readPercents(stop, 1)
    setFaults({ marks: alertsAt ? null : t.alertsAtFault, stop: stops ? null : t.stopAtFault })
    if (alertsAt && stops) action.submit({ alertsAt, stopTelemetryAt: stops[0] ?? null })
  }
  return (
    <Form submit={t.saveBudget} busy={action.busy} error={action.error} onSubmit={submit}>
      <Field label={t.alertsAt} hint={t.alertsAtHint} name="alertsAt" error={faults.marks} isOptional>
        <TextInput inputMode="numeric" value={marks} onChange={({ target }) => setMarks(target.value)} />
      </Field>
      <Field label={t.stopAt} hint={t.stopAtHint} name="stopTelemetryAt" error={faults.stop} isOptional>
        <TextInput inputMode="numeric" value={stop} onChange={({ target }) => setStop(target.value)} />
      </Field>
    </Form>
  )
}
