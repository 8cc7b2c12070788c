import { useMemo, useState } from 'react'
import { COUNTRY_CODES } from '../../../../core/text/countries'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useLocale, useText } from '../../../text/catalogue'
import { DETAILS } from './billing-model'
import { useBillingReason, useDetails } from './use-billing'

type Details = Schemas['BillingDetails']

/** Whom the invoices are for. */
export function DetailsCard() {
  const t = useText('billing')
  const found = useDetails()
  return (
    <Card title={t.details}>
      <div className="grid max-w-xl gap-4">
        <p className="text-sm text-ink-2">{t.detailsPurpose}</p>
        {found.data ? (
          <DetailsForm key={JSON.stringify(found.data.details)} saved={found.data.details} />
        ) : found.error ? (
          <Failure error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    </Card>
  )
}

const FIELDS = ['name', 'line1', 'line2', 'postalCode', 'city', 'state', 'country', 'taxId'] as const
type Name = (typeof FIELDS)[number]
type Typed = Record<Name, string>

const OPTIONAL: readonly Name[] = ['line2', 'postalCode', 'state', 'taxId']
const OWN: readonly Name[] = ['name', 'taxId']

/** Where the server has the field: its refusals name that place. */
const placeOf = (name: Name): string => (OWN.includes(name) ? name : `address.${name}`)

const FILLED_IN: Readonly<Record<Name, string>> = {
  ...{ name: 'organization', line1: 'address-line1', line2: 'address-line2', postalCode: 'postal-code' },
  ...{ city: 'address-level2', state: 'address-level1', country: 'country', taxId: 'off' },
}

export function DetailsForm({ saved }: { saved: Details | null }) {
  const t = useText('billing')
  const c = useText('common')
  const { path } = useProject()
  const reason = useBillingReason()
  const [typed, setTyped] = useState(typedOf(saved))
  const action = useAction({
    run: () => api.put(DETAILS, { params: { path }, body: detailsOf(typed) }),
    refreshes: [DETAILS],
    onDone: () => toast(c.savedName(t.details)),
  })
  const change = (name: Name, value: string) => setTyped((before) => ({ ...before, [name]: value }))
  return (
    <Form
      submit={t.saveDetails}
      busy={action.busy}
      error={action.error}
      reason={reason}
      onSubmit={() => action.submit(undefined)}
    >
      {FIELDS.map((name) => (
        <Field key={name} label={t.detail[name]} name={placeOf(name)} isOptional={OPTIONAL.includes(name)}>
          {name === 'country' ? (
            <Country value={typed.country} onChange={(value) => change('country', value)} />
          ) : (
            <TextInput
              autoComplete={FILLED_IN[name]}
              value={typed[name]}
              onChange={({ target }) => change(name, target.value)}
            />
          )}
        </Field>
      ))}
    </Form>
  )
}

function Country({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const locale = useLocale()
  const options = useMemo(() => countriesIn(locale), [locale])
  return (
    <Select
      autoComplete="country"
      value={value}
      options={[['', '—'], ...options]}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function countriesIn(locale: string): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const order = new Intl.Collator(locale)
  return COUNTRY_CODES.map((code) => [code, names.of(code) ?? code] as const).sort((a, b) => order.compare(a[1], b[1]))
}

const typedOf = (saved: Details | null): Typed => ({
  ...{ name: saved?.name ?? '', taxId: saved?.taxId ?? '' },
  ...{ line1: '', line2: '', postalCode: '', city: '', state: '', country: '', ...saved?.address },
})

/** What is empty and may be absent is left out. */
function detailsOf({ name, taxId, line1, line2, postalCode, city, state, country }: Typed): Details {
  return {
    name: name.trim(),
    taxId: taxId.trim() || null,
    address: {
      ...{ line1: line1.trim(), city: city.trim(), country },
      ...(line2.trim() && { line2: line2.trim() }),
      ...(postalCode.trim() && { postalCode: postalCode.trim() }),
      ...(state.trim() && { state: state.trim() }),
    },
  }
}
