import { useState } from 'react'
import { CAPABILITY_NAMES } from '../../../core/roles/roles'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { DateInput } from '../../kit/date-input'
import { Field, TextInput } from '../../kit/field'
import { now } from '../../lib/clock'
import { Choice, Choices } from '../../parts/choices'
import { useText } from '../../text/catalogue'
import { FormDialog } from './form-dialog'

type Made = Schemas['CreatedAccessToken']

export const TOKENS_PATH = '/dashboard/me/tokens'

const LIFE_MS = 90 * 86_400_000

/** What a token may be made for: everything that its owner may do, only reading, or some capabilities. */
const REACHES = ['all', 'read', 'some'] as const
type Reach = (typeof REACHES)[number]

interface NewTokenProps {
  onClose: () => void
  onMade: (made: Made) => void
}

export function NewToken({ onClose, onMade }: NewTokenProps) {
  const t = useText('account')
  const c = useText('common')
  const [name, setName] = useState('')
  const [reach, setReach] = useState<Reach>('all')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [day, setDay] = useState(() => new Date(now() + LIFE_MS).toISOString().slice(0, 10))
  const action = useAction<void, Made>({
    run: () => api.post(TOKENS_PATH, { body: { name, ...scopesOf(reach, chosen), expiresAt: endOf(day) } }),
    refreshes: [TOKENS_PATH],
    onDone: (made) => {
      onClose()
      onMade(made)
    },
  })
  const reason = reach === 'some' && chosen.length === 0 ? t.tokenChooseOne : null
  return (
    <FormDialog title={t.createToken} hint={t.tokenRights} action={action} reason={reason} onClose={onClose}>
      <Field label={c.name} hint={t.tokenNameHint} name="name">
        <TextInput data-first value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Choices label={t.tokenScopes}>
        {REACHES.map((one) => (
          <Choice
            key={one}
            kind="radio"
            name="reach"
            checked={reach === one}
            onChange={() => setReach(one)}
            title={t.tokenReach[one].name}
            hint={t.tokenReach[one].hint}
          />
        ))}
      </Choices>
      {reach === 'some' && <Capabilities chosen={chosen} onChange={setChosen} />}
      <Field label={t.expires} hint={t.tokenExpiresHint} name="expiresAt" isOptional>
        <DateInput value={day} onChange={setDay} />
      </Field>
    </FormDialog>
  )
}

interface CapabilitiesProps {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function Capabilities({ chosen, onChange }: CapabilitiesProps) {
  const t = useText('account')
  return (
    <Choices label={t.tokenReach.some.name} isMany>
      {CAPABILITY_NAMES.map((one) => (
        <Choice
          key={one}
          kind="checkbox"
          name={one}
          checked={chosen.includes(one)}
          onChange={(isOn) => onChange(isOn ? [...chosen, one] : chosen.filter((other) => other !== one))}
          title={<span className="font-mono text-xs">{one}</span>}
        />
      ))}
    </Choices>
  )
}

/** Without scopes a token may do everything that its owner may do. */
function scopesOf(reach: Reach, chosen: readonly string[]): { scopes?: 'read' | string[] } {
  if (reach === 'all') return {}
  return { scopes: reach === 'read' ? 'read' : [...chosen] }
}

/** A day ends at its last second in UTC; without a day the token has no end. */
const endOf = (day: string): string | null => (day === '' ? null : `${day}T23:59:59.000Z`)
