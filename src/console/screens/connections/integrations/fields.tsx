import { Field, Select, Switch, TextArea, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { EventTypes } from '../shared/event-types'
import { detailOf, usePlaced } from '../shared/refusal'
import type { Draft } from './draft'
import { type Member, PROVIDERS, type Provider } from './providers'

/** Refused credentials are explained at the first secret, a refused address at its own field. */
export function useIntegrationRefusal(error: Error | null, provider: Provider): Error | null {
  const t = useText('connections')
  const { members } = PROVIDERS[provider]
  const nameOf = (isOne: (member: Member) => boolean) => `credentials.${(members.find(isOne) ?? members[0])?.name}`
  return usePlaced(
    error,
    (path) => path,
    (failure): Record<string, string> => {
      const reason = detailOf(failure, 'reason')
      if (failure.code === 'WEBHOOK_URL_REJECTED')
        return {
          [nameOf(({ name }) => name === 'webhookUrl' || name === 'endpoint')]:
            (t.urlReasons as Record<string, string>)[reason] ?? failure.message,
        }
      if (failure.code !== 'INTEGRATION_CREDENTIALS_REJECTED') return {}
      const advice = (t.integrationReasons as Record<string, string>)[reason]
      return { [nameOf(({ kind }) => kind === 'secret')]: advice ?? `${failure.message} (${reason})` }
    },
  )
}

interface FieldsProps {
  provider: Provider
  draft: Draft
  onChange: (draft: Draft) => void
  /** Credentials are saved; what is typed replaces all of them. */
  isSaved?: boolean
}

export function IntegrationFields({ provider, draft, onChange, isSaved = false }: FieldsProps) {
  const t = useText('connections')
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      {isSaved && <p className="text-sm text-ink-2">{t.credentialsKept}</p>}
      {PROVIDERS[provider].members.map((member, index) => (
        <MemberField
          key={member.name}
          member={member}
          isFirst={index === 0}
          isSaved={isSaved}
          value={draft.values[member.name] ?? ''}
          onChange={(value) => set({ values: { ...draft.values, [member.name]: value } })}
        />
      ))}
      <EventTypes
        name="enabledEvents"
        value={draft.enabledEvents}
        onChange={(enabledEvents) => set({ enabledEvents })}
      />
      <Field label={t.eventMapping} name="eventMapping" isOptional hint={t.eventMappingHint}>
        <TextArea
          rows={3}
          value={draft.eventMapping}
          spellCheck={false}
          placeholder="level_finished = LevelFinished"
          onChange={({ target }) => set({ eventMapping: target.value })}
          className="font-mono text-xs"
        />
      </Field>
      <Switch
        checked={draft.includeSandbox}
        onChange={(includeSandbox) => set({ includeSandbox })}
        label={t.includeSandbox}
      />
    </>
  )
}

interface MemberFieldProps {
  member: Member
  isFirst: boolean
  isSaved: boolean
  value: string
  onChange: (value: string) => void
}

/** The names of the members are those of the API, as the provider's own pages call them. */
function MemberField({ member, isFirst, isSaved, value, onChange }: MemberFieldProps) {
  const t = useText('connections')
  const { name, kind, isOptional = false, example, choices = [] } = member
  const offered = isSaved && !choices.includes('') ? ['', ...choices] : choices
  const label = t.memberNames[name as keyof typeof t.memberNames] ?? name
  return (
    <Field
      label={label}
      name={`credentials.${name}`}
      isOptional={isOptional}
      hint={kind === 'events' ? t.eventTokensHint : kind === 'secret' ? t.secretKeyHint : example && t.suchAs(example)}
    >
      {kind === 'choice' ? (
        <Select
          value={value}
          onChange={({ target }) => onChange(target.value)}
          options={offered.map((one) => [one, one === '' ? '—' : one])}
        />
      ) : kind === 'events' ? (
        <TextArea
          rows={3}
          value={value}
          spellCheck={false}
          placeholder="purchase.initial = abc123"
          onChange={({ target }) => onChange(target.value)}
          className="font-mono text-xs"
        />
      ) : (
        <TextInput
          {...(isFirst && { 'data-first': true })}
          type={kind === 'secret' ? 'password' : 'text'}
          autoComplete={kind === 'secret' ? 'new-password' : 'off'}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="font-mono"
        />
      )}
    </Field>
  )
}
