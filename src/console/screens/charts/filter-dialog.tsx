import { useState } from 'react'
import { useEvery } from '../../api/every'
import { Dialog } from '../../kit/dialog'
import { Skeleton } from '../../kit/empty'
import { Checkbox, Field, Select, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { type Asked, FILTERS, type FilterName } from './asked'

const CLOSED = { do: null, name: null }

/** Chooses the values of one filter. */
export function FilterDialog({ asked }: { asked: Asked }) {
  const t = useText('charts')
  const common = useText('common')
  const [params, set] = useParams()
  const name = FILTERS.find((one) => one === params.get('name'))
  const [value, setValue] = useState(name ? (asked.filters[name] ?? '') : '')
  if (!name) return null
  return (
    <Dialog title={t.filterTitle(t.filters[name])} onClose={() => set(CLOSED)}>
      <Form
        submit={common.apply}
        busy={false}
        error={null}
        onSubmit={() => set({ ...CLOSED, [name]: value })}
        onCancel={() => set(CLOSED)}
      >
        <Choice name={name} value={value} onChange={setValue} />
      </Form>
    </Dialog>
  )
}

interface ChoiceProps {
  name: FilterName
  value: string
  onChange: (value: string) => void
}

function Choice({ name, value, onChange }: ChoiceProps) {
  const t = useText('charts')
  if (name === 'store')
    return <Checks value={value} onChange={onChange} options={Object.entries(t.stores)} label={t.filters.store} />
  if (name === 'product') return <ProductChecks value={value} onChange={onChange} />
  if (name === 'audience') return <AudienceChoice value={value} onChange={onChange} />
  if (name === 'cohort') return <CohortChoice value={value} onChange={onChange} />
  return (
    <Field label={t.filterValues} hint={t.filterHints[name]}>
      <TextInput data-first value={value} onChange={(event) => onChange(event.target.value)} />
    </Field>
  )
}

type Given = Omit<ChoiceProps, 'name'>

function Checks({
  label,
  value,
  onChange,
  options,
}: Given & { label: string; options: readonly (readonly [string, string])[] }) {
  const chosen = value === '' ? [] : value.split(',')
  const toggle = (one: string, isOn: boolean) =>
    onChange((isOn ? [...chosen, one] : chosen.filter((other) => other !== one)).join(','))
  return (
    <fieldset className="grid max-h-80 gap-1 overflow-y-auto">
      <legend className="pb-1 text-sm font-medium">{label}</legend>
      {options.map(([one, text]) => (
        <Checkbox key={one} label={text} checked={chosen.includes(one)} onChange={(isOn) => toggle(one, isOn)} />
      ))}
    </fieldset>
  )
}

function ProductChecks(given: Given) {
  const t = useText('charts')
  const { path } = useProject()
  const products = useEvery('/dashboard/projects/{projectId}/products', { params: { path, query: { limit: 200 } } })
  if (products.isLoading) return <Skeleton lines={4} />
  if (products.items.length === 0) return <p className="text-sm text-ink-2">{t.noChoices}</p>
  return (
    <Checks
      {...given}
      label={t.filters.product}
      options={products.items.map(({ identifier, displayName }) => [identifier, displayName || identifier])}
    />
  )
}

function AudienceChoice({ value, onChange }: Given) {
  const t = useText('charts')
  const { path } = useProject()
  const audiences = useEvery('/dashboard/projects/{projectId}/audiences', { params: { path, query: { limit: 200 } } })
  const options = audiences.items.map(({ name }) => [name, name] as const)
  return <One label={t.filters.audience} hint={t.filterHints.audience} {...{ value, onChange, options }} />
}

function CohortChoice({ value, onChange }: Given) {
  const t = useText('charts')
  const { path } = useProject()
  const cohorts = useEvery('/dashboard/projects/{projectId}/cohorts', { params: { path, query: { limit: 200 } } })
  const options = cohorts.items.map(({ identifier, name }) => [identifier, name] as const)
  return <One label={t.filters.cohort} hint={t.filterHints.cohort} {...{ value, onChange, options }} />
}

interface OneProps extends Given {
  label: string
  hint: string | undefined
  options: readonly (readonly [string, string])[]
}

function One({ label, hint, options, value, onChange }: OneProps) {
  const t = useText('charts')
  const common = useText('common')
  return (
    <Field label={label} hint={options.length === 0 ? t.noChoices : hint}>
      <Select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        options={[['', common.all], ...options]}
      />
    </Field>
  )
}
