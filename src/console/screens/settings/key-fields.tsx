import type { Schemas } from '../../api/schemas'
import { DateInput } from '../../kit/date-input'
import { Field, Select, TextArea, TextInput } from '../../kit/field'
import { State } from '../../kit/state'
import { now } from '../../lib/clock'
import { useText } from '../../text/catalogue'
import { linesOf } from './project-values'

export interface KeyValues {
  label: string
  environment: string
  origins: string
  rate: string
  /** A day, such as 2026-12-31. */
  expires: string
}

export const NEW_KEY: KeyValues = { label: '', environment: 'PROD', origins: '', rate: '', expires: '' }

const ENVIRONMENTS = ['PROD', 'STAGING', 'DEVELOPMENT'] as const

export const keyValues = ({ label, environment, allowedOrigins, ratePerMinute, expiresAt }: ApiKey): KeyValues => ({
  label,
  environment,
  origins: (allowedOrigins ?? []).join('\n'),
  rate: ratePerMinute === null ? '' : String(ratePerMinute),
  expires: expiresAt?.slice(0, 10) ?? '',
})

/** The members of the body. A day ends at its last second in UTC. */
export function keyBody({ label, environment, origins, rate, expires }: KeyValues) {
  const list = linesOf(origins)
  return {
    label,
    environment: environment as (typeof ENVIRONMENTS)[number],
    allowedOrigins: list.length === 0 ? null : list,
    ratePerMinute: rate.trim() === '' ? null : Number(rate),
    expiresAt: expires === '' ? null : `${expires}T23:59:59.000Z`,
  }
}

/** The body that changes a key. A day that stays leaves the hour of its end as it is. */
export function keyChange(values: KeyValues, saved: KeyValues) {
  const { expiresAt, ...body } = keyBody(values)
  return values.expires === saved.expires ? body : { ...body, expiresAt }
}

/** What differs from the saved key: the rest follows the server. */
export const typedOf = (values: KeyValues, saved: KeyValues): Partial<KeyValues> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== saved[name as keyof KeyValues]))

interface KeyFieldsProps {
  values: KeyValues
  onChange: (values: KeyValues) => void
  disabled: boolean
}

export function KeyFields({ values, onChange, disabled }: KeyFieldsProps) {
  const t = useText('settings')
  const set = (name: keyof KeyValues) => (event: { target: { value: string } }) =>
    onChange({ ...values, [name]: event.target.value })
  return (
    <>
      <Field label={t.label} hint={t.labelHint} name="label">
        <TextInput data-first value={values.label} disabled={disabled} onChange={set('label')} />
      </Field>
      <Field label={t.environment} hint={t.environmentHint} name="environment">
        <Select
          value={values.environment}
          disabled={disabled}
          options={ENVIRONMENTS.map((one) => [one, t.keyEnvironments[one] ?? one] as const)}
          onChange={set('environment')}
        />
      </Field>
      <Field label={t.keyOrigins} hint={t.keyOriginsHint} name="allowedOrigins" isOptional>
        <TextArea
          rows={2}
          value={values.origins}
          disabled={disabled}
          className="font-mono"
          placeholder="https://app.example.com"
          onChange={set('origins')}
        />
      </Field>
      <Field label={t.rate} hint={t.rateLimitHint} name="ratePerMinute" isOptional>
        <TextInput type="number" min={0} value={values.rate} disabled={disabled} onChange={set('rate')} />
      </Field>
      <Field label={t.expires} hint={t.expiresHint} name="expiresAt" isOptional>
        <DateInput
          value={values.expires}
          disabled={disabled}
          onChange={(expires) => onChange({ ...values, expires })}
        />
      </Field>
    </>
  )
}

export type ApiKey = Schemas['ApiKey']

/** Whether a key is in use, about to end, or over. */
export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const t = useText('settings')
  const { revokedAt, expiresAt, previousUntil } = apiKey
  const isOver = (at: string | null) => at !== null && Date.parse(at) <= now()
  if (revokedAt !== null) return <State tone="mute">{t.keyState.revoked}</State>
  if (isOver(expiresAt)) return <State tone="bad">{t.keyState.expired}</State>
  if (previousUntil !== null && !isOver(previousUntil)) return <State tone="warn">{t.keyState.rotating}</State>
  return <State tone="good">{t.keyState.live}</State>
}
