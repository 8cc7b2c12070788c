import { Checkbox } from '../../../kit/field'
import { Segmented } from '../../../kit/tabs'
import { useText } from '../../../text/catalogue'
import { Group } from './group'

/** The types of events that are recorded, by the word before the point. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  purchase: [
    ...['initial', 'trial_started', 'trial_converted', 'renewed', 'non_renewing', 'cancelled', 'uncancelled'],
    ...['billing_issue', 'grace_period', 'recovered', 'paused', 'resumed', 'expired', 'refunded', 'refund_reversed'],
    ...['revoked', 'product_changed', 'charged', 'price_increase_consent', 'extended', 'corrected'],
  ],
  entitlement: ['granted', 'revoked'],
  subscriber: ['identified', 'transferred'],
  currency: ['transaction'],
  experiment: ['exposed', 'converted'],
  funnel: ['session.started', 'session.advanced', 'session.completed', 'paid', 'claimed'],
  import: ['committed'],
}

export const GROUPS = Object.keys(TYPES)

/** The filters `*`, `purchase.*` and each type, for a select. */
export const typeOptions = (all: string): (readonly [string, string])[] => [
  ['', all],
  ...GROUPS.flatMap((group) => [
    [`${group}.*`, `${group}.*`] as const,
    ...(TYPES[group] ?? []).map((name) => [`${group}.${name}`, `${group}.${name}`] as const),
  ]),
]

interface EventTypesProps {
  name: string
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** Which events are wanted: all, or groups and single types. */
export function EventTypes({ name, value, onChange }: EventTypesProps) {
  const t = useText('connections')
  const isAll = value.includes('*')
  const toggle = (filter: string, isOn: boolean) =>
    onChange(isOn ? [...value.filter((one) => !covers(filter, one)), filter] : value.filter((one) => one !== filter))
  return (
    <Group legend={t.eventTypes} name={name}>
      <Segmented
        label={t.eventTypes}
        value={isAll ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? ['*'] : [])}
        options={[
          ['all', t.allEvents],
          ['some', t.someEvents],
        ]}
      />
      {!isAll && GROUPS.map((group) => <GroupOfTypes key={group} group={group} value={value} onToggle={toggle} />)}
    </Group>
  )
}

interface GroupOfTypesProps {
  group: string
  value: readonly string[]
  onToggle: (filter: string, isOn: boolean) => void
}

function GroupOfTypes({ group, value, onToggle }: GroupOfTypesProps) {
  const whole = `${group}.*`
  const isWhole = value.includes(whole)
  return (
    <div className="grid gap-1 rounded-control border border-line px-3 py-2">
      <Checkbox checked={isWhole} onChange={(isOn) => onToggle(whole, isOn)} label={<Mono text={whole} />} />
      <div className="grid grid-cols-1 gap-x-4 pl-6 sm:grid-cols-2">
        {(TYPES[group] ?? []).map((one) => (
          <Checkbox
            key={one}
            checked={isWhole || value.includes(`${group}.${one}`)}
            disabled={isWhole}
            onChange={(isOn) => onToggle(`${group}.${one}`, isOn)}
            label={<Mono text={`${group}.${one}`} />}
          />
        ))}
      </div>
    </div>
  )
}

const Mono = ({ text }: { text: string }) => <span className="font-mono text-xs">{text}</span>

const covers = (filter: string, type: string): boolean =>
  filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : filter === type
