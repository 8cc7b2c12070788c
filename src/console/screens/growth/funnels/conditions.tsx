import { Plus, X } from 'lucide-react'
import { type FunnelCondition, type FunnelField, OPERATORS, type Operator } from '../../../../core/funnel/model'
import { fieldsOf } from '../../../../core/funnel/way'
import { Button, IconButton } from '../../../kit/button'
import { Select, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import type { FunnelState } from './model'
import { useFunnelWords } from './use-words'

interface Conditions {
  match: 'all' | 'any'
  when: readonly FunnelCondition[]
}

interface ConditionsProps {
  state: FunnelState
  value: Conditions
  onChange: (value: Conditions) => void
}

const WITHOUT_VALUE: ReadonlySet<Operator> = new Set(['is_answered', 'is_empty'])
const SEVERAL: ReadonlySet<Operator> = new Set(['in', 'not_in', 'between'])

/** Which answers must hold, one line each. */
export function ConditionsEditor({ state, value, onChange }: ConditionsProps) {
  const t = useText('funnels')
  const common = useText('common')
  const { match, when } = value
  const fields = state.pages.flatMap(fieldsOf)
  const put = (index: number, condition: FunnelCondition) => onChange({ match, when: when.with(index, condition) })
  return (
    <div className="grid gap-2">
      {when.length > 1 && (
        <Select
          aria-label={t.match}
          value={match}
          onChange={({ target }) => onChange({ when, match: target.value === 'any' ? 'any' : 'all' })}
          options={[
            ['all', t.matchAll],
            ['any', t.matchAny],
          ]}
        />
      )}
      {when.map((condition, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1">
          <Condition fields={fields} value={condition} onChange={(next) => put(index, next)} />
          <IconButton
            label={`${common.remove}: ${condition.field}`}
            disabled={when.length === 1}
            onClick={() => onChange({ match, when: when.filter((_, at) => at !== index) })}
          >
            <X aria-hidden size={14} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          variant="quiet"
          icon={<Plus aria-hidden size={14} />}
          onClick={() => onChange({ match, when: [...when, firstCondition(state)] })}
        >
          {t.addCondition}
        </Button>
      </div>
    </div>
  )
}

/** What a new condition asks: the first answer that there is. */
export function firstCondition({ pages }: FunnelState): FunnelCondition {
  const field = pages.flatMap(fieldsOf)[0]
  const option = field?.options[0]?.id
  if (!field) return { field: 'score', op: 'gte', value: 0 }
  return option === undefined ? { field: field.id, op: 'is_answered' } : { field: field.id, op: 'eq', value: option }
}

interface ConditionProps {
  fields: readonly FunnelField[]
  value: FunnelCondition
  onChange: (value: FunnelCondition) => void
}

function Condition({ fields, value, onChange }: ConditionProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const field = fields.find(({ id }) => id === value.field)
  const withOperator = (op: Operator) => {
    const { value: before, ...rest } = value
    if (WITHOUT_VALUE.has(op)) return onChange({ ...rest, op })
    const single = Array.isArray(before) ? before[0] : before
    onChange({ ...rest, op, value: SEVERAL.has(op) ? [single ?? ''] : (single ?? '') })
  }
  return (
    <div className="grid gap-1">
      <Select
        aria-label={t.answerOf}
        value={value.field}
        onChange={({ target }) => onChange({ ...value, field: target.value })}
        options={[...fields.map(({ id }) => [id, id] as const), ['score', t.score] as const]}
      />
      <Select
        aria-label={t.operator}
        value={value.op}
        onChange={({ target }) => withOperator(target.value as Operator)}
        options={OPERATORS.map((op) => [op, words.operators[op]] as const)}
      />
      {!WITHOUT_VALUE.has(value.op) && (
        <ConditionValue field={field} value={value} onChange={(next) => onChange({ ...value, value: next })} />
      )}
    </div>
  )
}

interface ValueProps {
  field: FunnelField | undefined
  value: FunnelCondition
  onChange: (value: unknown) => void
}

function ConditionValue({ field, value: { op, value }, onChange }: ValueProps) {
  const t = useText('funnels')
  const hasOptions = field !== undefined && field.options.length > 0 && !SEVERAL.has(op)
  if (hasOptions)
    return (
      <Select
        aria-label={t.value}
        value={String(value ?? '')}
        onChange={({ target }) => onChange(target.value)}
        options={field.options.map(({ id, label }) => [id, Object.values(label)[0] ?? id] as const)}
      />
    )
  const text = [value ?? ''].flat().join(', ')
  return (
    <TextInput
      aria-label={t.value}
      value={text}
      placeholder={SEVERAL.has(op) ? t.severalHint : undefined}
      onChange={({ target }) => {
        const parts = target.value.split(',').map((part) => typed(part.trim(), field))
        onChange(SEVERAL.has(op) ? parts : typed(target.value, field))
      }}
    />
  )
}

const NUMBERS: ReadonlySet<string> = new Set(['number', 'slider', 'height', 'weight', 'rating'])

/** A number where the field has numbers, `true` or `false` for a consent, else the text. */
function typed(text: string, field: FunnelField | undefined): string | number | boolean {
  if (field?.kind === 'consent') return text === 'true'
  const isNumber = field === undefined || NUMBERS.has(field.kind)
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
