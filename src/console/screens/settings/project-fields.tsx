import {
  ASSISTANT_DATA,
  ASSISTANT_MODES,
  CLAWBACKS,
  IDENTITY_VERIFICATIONS,
  PAUSED_COLLECTIONS,
  PURCHASE_TRANSFERS,
  SANDBOX_ACCESSES,
  SETTING_RANGES,
  UNLISTED_SALES,
} from '../../../core/project/settings'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Field, Select, Switch, TextArea, TextInput } from '../../kit/field'
import { useTimeZones } from '../../parts/time-zones'
import { useText } from '../../text/catalogue'
import type { FieldName, Values } from './project-values'

export interface Edit {
  values: Values
  set: (name: FieldName, value: string | boolean) => void
  disabled: boolean
}

type SettingName = keyof Schemas['ProjectSettings']

/** The settings by subject. */
export const GROUPS = [
  [
    'purchases',
    ['purchaseTransfer', 'providerGraceDays', 'pausedCollection', 'unlistedSales', 'clawback', 'androidAcknowledge'],
  ],
  ['sandbox', ['sandboxAccess', 'sandboxTesters', 'allowLocalStoreTesting']],
  [
    'clients',
    ['identityVerification', 'identityJwksUrl', 'restrictReturnUrls', 'extraReservedKeys', 'leaseTtlSeconds'],
  ],
  ['reports', ['reportCurrency', 'eventRetentionDays', 'holdoutPercentage']],
  ['assistant', ['assistant', 'assistantPersonalData']],
] as const satisfies readonly (readonly [string, readonly SettingName[]])[]

const CHOICES = {
  purchaseTransfer: PURCHASE_TRANSFERS,
  clawback: CLAWBACKS,
  pausedCollection: PAUSED_COLLECTIONS,
  unlistedSales: UNLISTED_SALES,
  sandboxAccess: SANDBOX_ACCESSES,
  identityVerification: IDENTITY_VERIFICATIONS,
  assistant: ASSISTANT_MODES,
  assistantPersonalData: ASSISTANT_DATA,
}

const RANGES: Partial<Record<SettingName, readonly [least: number, most: number]>> = SETTING_RANGES

const isChoice = (name: SettingName): name is keyof typeof CHOICES => name in CHOICES

/** One setting with its explanation. */
export function SettingField({ name, edit }: { name: SettingName; edit: Edit }) {
  const t = useText('settings')
  const { values, set, disabled } = edit
  const { label, hint } = t.setting[name]
  const value = values[name]
  // The list of testers means something only when the list decides.
  if (name === 'sandboxTesters' && values.sandboxAccess !== 'allowList') return null
  if (typeof value === 'boolean')
    return (
      <div className="grid gap-1">
        <Switch checked={value} onChange={(on) => set(name, on)} label={label} disabled={disabled} />
        <p className="text-xs text-ink-2">{hint}</p>
      </div>
    )
  return (
    <Field label={label} hint={hint} name={name}>
      <SettingControl name={name} value={value} disabled={disabled} onChange={(next) => set(name, next)} />
    </Field>
  )
}

interface ControlProps {
  name: SettingName
  value: string
  disabled: boolean
  onChange: (value: string) => void
}

function SettingControl({ name, value, disabled, onChange }: ControlProps) {
  const t = useText('settings')
  if (isChoice(name)) {
    const names: Record<string, string> = t.choices[name]
    const options = CHOICES[name].map((one) => [one, names[one] ?? one] as const)
    return (
      <Select value={value} disabled={disabled} options={options} onChange={(event) => onChange(event.target.value)} />
    )
  }
  if (name === 'sandboxTesters')
    return (
      <TextArea
        value={value}
        disabled={disabled}
        className="font-mono"
        onChange={(event) => onChange(event.target.value)}
      />
    )
  const range = RANGES[name]
  return (
    <TextInput
      value={value}
      disabled={disabled}
      {...(range && { type: 'number', min: range[0], max: range[1] })}
      {...(name === 'reportCurrency' && { maxLength: 3, className: 'font-mono uppercase' })}
      {...(name === 'identityJwksUrl' && { type: 'url', inputMode: 'url' as const })}
      onChange={(event) => onChange(name === 'reportCurrency' ? event.target.value.toUpperCase() : event.target.value)}
    />
  )
}

/** What a project is called and where it lives. */
export function OwnFields({ edit }: { edit: Edit }) {
  const t = useText('settings')
  const c = useText('common')
  const zones = useTimeZones(String(edit.values.timezone))
  return (
    <>
      <Card title={t.identity}>
        <div className="grid max-w-xl gap-4">
          <Own name="name" label={c.name} edit={edit} />
          <Own name="slug" label={t.slug} hint={t.slugHint} edit={edit} isMono />
          <Field label={t.timezone} hint={t.timezoneHint} name="timezone">
            <Select
              value={String(edit.values.timezone)}
              disabled={edit.disabled}
              options={zones}
              onChange={(event) => edit.set('timezone', event.target.value)}
            />
          </Field>
        </div>
      </Card>
      <Card title={t.addresses}>
        <div className="grid max-w-xl gap-4">
          <Field label={t.allowedOrigins} hint={t.allowedOriginsHint} name="allowedOrigins" isOptional>
            <TextArea
              rows={3}
              value={String(edit.values.allowedOrigins)}
              disabled={edit.disabled}
              placeholder="https://app.example.com"
              className="font-mono"
              onChange={(event) => edit.set('allowedOrigins', event.target.value)}
            />
          </Field>
          <Own name="termsUrl" label={t.termsUrl} hint={t.legalHint} edit={edit} isOptional />
          <Own name="privacyUrl" label={t.privacyUrl} hint={t.legalHint} edit={edit} isOptional />
        </div>
      </Card>
    </>
  )
}

interface OwnProps {
  name: FieldName
  label: string
  hint?: string
  edit: Edit
  isMono?: boolean
  isOptional?: boolean
}

const Own = ({ name, label, hint, edit, isMono = false, isOptional = false }: OwnProps) => (
  <Field label={label} hint={hint} name={name} isOptional={isOptional}>
    <TextInput
      value={String(edit.values[name])}
      disabled={edit.disabled}
      className={isMono ? 'font-mono' : undefined}
      onChange={(event) => edit.set(name, event.target.value)}
    />
  </Field>
)
