import { Checkbox, Field, Select, Switch, TextArea, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { EventTypes } from '../shared/event-types'
import { detailOf, usePlaced } from '../shared/refusal'
import type { Draft, Integration } from './draft'
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
      const advice = (t.integrationReasons as Record<string, string>)[reason] ?? `${failure.message} (${reason})`
      const isAboutApp = /_app$|^app_/.test(reason)
      return { [nameOf(({ name, kind }) => (isAboutApp ? /appId$/i.test(name) : kind === 'secret'))]: advice }
    },
  )
}

interface FieldsProps {
  provider: Provider
  draft: Draft
  onChange: (draft: Draft) => void
  /** The connection that is edited: its secrets stay unless others are typed. */
  saved?: Integration
}

export function IntegrationFields({ provider, draft, onChange, saved }: FieldsProps) {
  const t = useText('connections')
  const labelOf = useMemberLabel()
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      {PROVIDERS[provider].members.map((member, index) => (
        <div key={member.name} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <MemberField
            member={member}
            isFirst={index === 0}
            isKept={saved?.secrets.includes(member.name) === true}
            value={draft.values[member.name] ?? ''}
            onChange={(value) => set({ values: { ...draft.values, [member.name]: value } })}
          />
          {member.isOptional && saved?.secrets.includes(member.name) && (
            <Checkbox
              checked={draft.removed.includes(member.name)}
              onChange={(isOn) =>
                set({
                  removed: isOn ? [...draft.removed, member.name] : draft.removed.filter((one) => one !== member.name),
                })
              }
              label={t.removeSaved(labelOf(member.name))}
            />
          )}
        </div>
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
  /** It is a secret that is saved. */
  isKept: boolean
  value: string
  onChange: (value: string) => void
}

/** What a member of the credentials is called. */
export function useMemberLabel(): (name: string) => string {
  const names: Record<string, string> = useText('connections').memberNames
  return (name) => names[name] ?? name
}

/** The names of the members are those of the API, as the provider's own pages call them. */
function MemberField({ member, isFirst, isKept, value, onChange }: MemberFieldProps) {
  const t = useText('connections')
  const { name, kind, isOptional = false, example, choices = [] } = member
  const hints = { events: t.eventTokensHint, secret: isKept ? t.keptIfEmpty : t.secretKeyHint, choice: null }
  return (
    <Field
      label={useMemberLabel()(name)}
      name={`credentials.${name}`}
      isOptional={isOptional}
      hint={kind === 'text' ? example && t.suchAs(example) : hints[kind]}
    >
      {kind === 'choice' ? (
        <Select
          value={value}
          onChange={({ target }) => onChange(target.value)}
          options={choices.map((one) => [one, one === '' ? '—' : one])}
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
