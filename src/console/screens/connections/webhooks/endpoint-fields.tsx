import type { ApiFailure } from '../../../api/failure'
import { refusalIn } from '../../../kit/failure-words'
import { Checkbox, Field, Select, Switch, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { EventTypes } from '../shared/event-types'
import { Group } from '../shared/group'
import { detailOf, usePlaced } from '../shared/refusal'
import type { Draft } from './model'

/** A refused address and a taken name are shown at their fields. */
export function useEndpointRefusal(error: Error | null): Error | null {
  const t = useText('connections')
  const { refusals } = useText('common')
  const urlReason = (reason: string): string => (t.urlReasons as Record<string, string>)[reason] ?? reason
  return usePlaced(
    error,
    (path) => path,
    (failure: ApiFailure): Record<string, string> => {
      if (failure.code === 'WEBHOOK_URL_REJECTED') return { url: urlReason(detailOf(failure, 'reason')) }
      return failure.code === 'IDENTIFIER_TAKEN' ? { name: refusalIn(failure, refusals) ?? failure.message } : {}
    },
  )
}

interface EndpointFieldsProps {
  draft: Draft
  onChange: (draft: Draft) => void
  /** The endpoint exists, so a secret header may be saved already. */
  isSaved?: boolean
}

export function EndpointFields({ draft, onChange, isSaved = false }: EndpointFieldsProps) {
  const t = useText('connections')
  const common = useText('common')
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <Field label={common.name} name="name" hint={t.endpointNameHint}>
        <TextInput data-first value={draft.name} onChange={({ target }) => set({ name: target.value })} />
      </Field>
      <Field label={t.url} name="url" hint={t.endpointUrlHint}>
        <TextInput
          type="url"
          inputMode="url"
          placeholder="https://"
          value={draft.url}
          onChange={({ target }) => set({ url: target.value })}
        />
      </Field>
      <EventTypes name="eventTypes" value={draft.eventTypes} onChange={(eventTypes) => set({ eventTypes })} />
      <Environments value={draft.environments} onChange={(environments) => set({ environments })} />
      <Field label={t.format} name="format" hint={t.formatHints[draft.format]}>
        <Select
          value={draft.format}
          onChange={({ target }) => set({ format: target.value as Draft['format'] })}
          options={[
            ['standard', 'Standard Webhooks'],
            ['revenuecat', 'RevenueCat'],
          ]}
        />
      </Field>
      <Field
        label={t.authorization}
        name="authorization"
        isOptional
        hint={isSaved ? t.keptIfEmpty : t.authorizationHint}
      >
        <TextInput
          type="password"
          autoComplete="new-password"
          value={draft.authorization}
          onChange={({ target }) => set({ authorization: target.value })}
        />
      </Field>
      <div className="grid gap-1">
        <Switch checked={draft.ordered} onChange={(ordered) => set({ ordered })} label={t.ordered} />
        <p className="text-xs text-ink-2">{t.orderedHint}</p>
      </div>
    </>
  )
}

interface EnvironmentsProps {
  value: Draft['environments']
  onChange: (value: Draft['environments']) => void
}

function Environments({ value, onChange }: EnvironmentsProps) {
  const t = useText('connections')
  const common = useText('common')
  const names = { PRODUCTION: common.production, SANDBOX: common.sandbox }
  return (
    <Group legend={t.environments} name="environments">
      <div className="flex gap-4">
        {(['PRODUCTION', 'SANDBOX'] as const).map((one) => (
          <Checkbox
            key={one}
            checked={value.includes(one)}
            onChange={(isOn) => onChange(isOn ? [...value, one] : value.filter((other) => other !== one))}
            label={names[one]}
          />
        ))}
      </div>
    </Group>
  )
}
