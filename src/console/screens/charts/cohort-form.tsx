import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Dialog } from '../../kit/dialog'
import { Field, Select, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { Conflict } from './conflict'

type Cohort = Schemas['Cohort']
type Filters = NonNullable<Schemas['CohortDefinition']['filters']>

const COHORTS = '/dashboard/projects/{projectId}/cohorts'

/** What people most ask about; any other event can be typed. */
const EVENTS = [
  ...['subscriber.first_seen', 'purchase.initial', 'purchase.trial_started', 'purchase.trial_converted'],
  ...['purchase.renewed', 'purchase.cancelled', 'purchase.billing_issue', 'purchase.refunded', 'purchase.expired'],
]

interface Draft {
  identifier: string
  name: string
  event: string
  days: string
  filters: Filters
  /** A window of two instants stays as it is unless days are chosen. */
  within: Schemas['CohortDefinition']['within']
}

const draftOf = (cohort: Cohort | null, environment: 'PRODUCTION' | 'SANDBOX'): Draft => {
  const { event = 'purchase.initial', within, filters } = cohort?.definition ?? {}
  return {
    identifier: cohort?.identifier ?? '',
    name: cohort?.name ?? '',
    event,
    days: typeof within === 'string' ? within.slice(1, -1) : '',
    filters: filters ?? (environment === 'SANDBOX' ? { environment } : {}),
    within: typeof within === 'string' ? undefined : within,
  }
}

const definitionOf = ({ event, days, within, filters }: Draft): Schemas['CohortDefinition'] => {
  const when = days === '' ? within : `P${days}D`
  const named = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as Filters
  return {
    event,
    ...(when !== undefined && { within: when }),
    ...(Object.keys(named).length > 0 && { filters: named }),
  }
}

/** Makes a cohort, or changes one. */
export function CohortForm({ cohort, onClose }: { cohort: Cohort | null; onClose: () => void }) {
  const t = useText('charts')
  const common = useText('common')
  const { base, environment } = useProject()
  const [, go] = useLocation()
  const [draft, setDraft] = useState(() => draftOf(cohort, environment))
  const save = useSave(cohort, draft, (saved) => {
    toast(common.saved)
    cohort ? onClose() : go(`${base}/charts/cohorts/${saved.id}${environment === 'SANDBOX' ? '?env=sandbox' : ''}`)
  })
  const isConflict = save.error instanceof ApiFailure && save.error.code === 'CONFLICT' && cohort !== null
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  return (
    <Dialog kind="sheet" title={cohort ? t.edit : t.newCohort} onClose={onClose}>
      <Form
        submit={cohort ? common.save : common.create}
        busy={save.busy}
        error={isConflict ? null : save.error}
        onSubmit={() => save.submit(cohort?.revision ?? null)}
        onCancel={onClose}
      >
        <Names draft={draft} change={change} />
        <Definition draft={draft} change={change} />
      </Form>
      {isConflict && (
        <Conflict
          error={save.error}
          refreshes={COHORTS}
          onClose={save.reset}
          onLoad={() => {
            save.reset()
            setDraft(draftOf(cohort, environment))
          }}
          onOverwrite={() => save.submit(null)}
        />
      )}
    </Dialog>
  )
}

function useSave(cohort: Cohort | null, draft: Draft, onDone: (saved: Cohort) => void) {
  const { path } = useProject()
  const body = { identifier: draft.identifier, name: draft.name, definition: definitionOf(draft) }
  return useAction({
    run: (revision: number | null) =>
      cohort === null
        ? api.post(COHORTS, { params: { path }, body })
        : api.patch('/dashboard/projects/{projectId}/cohorts/{id}', {
            params: {
              path: { ...path, id: cohort.id },
              ...(revision !== null && { header: { 'If-Match': `"${revision}"` } }),
            },
            body,
          }),
    refreshes: [COHORTS],
    onDone,
  })
}

interface PartProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
}

function Names({ draft, change }: PartProps) {
  const t = useText('charts')
  const common = useText('common')
  return (
    <>
      <Field label={common.name} name="name">
        <TextInput
          data-first
          maxLength={255}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label={t.identifier} name="identifier" hint={t.identifierHint}>
        <TextInput
          className="font-mono"
          maxLength={64}
          value={draft.identifier}
          onChange={(event) => change({ identifier: event.target.value })}
        />
      </Field>
    </>
  )
}

function Definition({ draft, change }: PartProps) {
  const t = useText('charts')
  const common = useText('common')
  const filter = (part: Record<string, string>) => change({ filters: { ...draft.filters, ...part } as Filters })
  return (
    <>
      <Field label={t.event} name="definition.event" hint={t.eventHint}>
        <TextInput
          className="font-mono"
          list="cohort-events"
          maxLength={136}
          value={draft.event}
          onChange={(event) => change({ event: event.target.value })}
        />
      </Field>
      <datalist id="cohort-events">
        {EVENTS.map((event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <Field label={t.within} name="definition.within">
        <Select
          value={draft.days}
          onChange={(event) => change({ days: event.target.value, within: undefined })}
          options={[
            ['', t.anyTime],
            ...daysOffered(draft.days).map((days) => [days, t.lastDays(Number(days))] as const),
          ]}
        />
      </Field>
      <Field label={common.store} name="definition.filters.store" isOptional>
        <Select
          value={draft.filters.store ?? ''}
          onChange={(event) => filter({ store: event.target.value })}
          options={[['', t.anyOf], ...Object.entries(t.stores)]}
        />
      </Field>
      <Field label={t.country} name="definition.filters.country" hint={t.countryHint} isOptional>
        <TextInput value={draft.filters.country ?? ''} onChange={(event) => filter({ country: event.target.value })} />
      </Field>
      <Field label={t.filters.environment} name="definition.filters.environment">
        <Select
          value={draft.filters.environment ?? ''}
          onChange={(event) => filter({ environment: event.target.value })}
          options={[
            ['', common.production],
            ['SANDBOX', common.sandbox],
          ]}
        />
      </Field>
    </>
  )
}

const DAYS = ['1', '7', '30', '90', '365']
const daysOffered = (chosen: string): string[] => (chosen === '' || DAYS.includes(chosen) ? DAYS : [...DAYS, chosen])
