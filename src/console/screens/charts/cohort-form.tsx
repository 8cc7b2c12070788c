import { api, read } from '../../api/client'
import type { Schemas } from '../../api/schemas'
import { Field, Select, TextInput } from '../../kit/field'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { NamedSheet, useNamedEdit } from './named-form'

type Cohort = Schemas['Cohort']
type Filters = NonNullable<Schemas['CohortDefinition']['filters']>

const COHORTS = '/dashboard/projects/{projectId}/cohorts'
const COHORT = '/dashboard/projects/{projectId}/cohorts/{id}'

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

interface FormProps {
  cohort: Cohort | null
  reason: string | null
  onClose: () => void
}

/** Makes a cohort, or changes one. */
export function CohortForm({ cohort, reason, onClose }: FormProps) {
  const t = useText('charts')
  const { path, environment } = useProject()
  const edit = useNamedEdit<Cohort, Draft>({
    ...{ kind: 'cohort', object: cohort, list: COHORTS, screen: '/charts/cohorts', onClose, lines: useLines() },
    draftOf: (from) => draftOf(from, environment),
    save: (draft, header) => {
      const body = { identifier: draft.identifier, name: draft.name, definition: definitionOf(draft) }
      return cohort === null
        ? api.post(COHORTS, { params: { path }, body })
        : api.patch(COHORT, { params: { path: { ...path, id: cohort.id }, header }, body })
    },
    readAll: () => read(COHORTS, { params: { path, query: { limit: 200 } } }),
  })
  return (
    <NamedSheet title={cohort ? t.edit : t.newCohort} isNew={cohort === null} {...{ edit, reason, onClose }}>
      {(part) => <Definition {...part} />}
    </NamedSheet>
  )
}

/** A cohort in words, for comparing two forms of it. */
function useLines() {
  const t = useText('charts')
  const common = useText('common')
  return ({ name, identifier, event, days, filters }: Draft) => [
    { key: 'name', label: common.name, text: name },
    { key: 'identifier', label: t.identifier, text: identifier },
    { key: 'event', label: t.event, text: event },
    { key: 'within', label: t.within, text: days === '' ? t.anyTime : t.lastDays(Number(days)) },
    { key: 'store', label: common.store, text: filters.store ?? '' },
    { key: 'country', label: t.country, text: filters.country ?? '' },
    { key: 'environment', label: t.filters.environment, text: filters.environment ?? '' },
  ]
}

interface PartProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
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
