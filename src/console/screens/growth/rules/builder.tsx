import { Plus, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { hintsOf } from '../../../../core/rules/hints'
import { Button, IconButton } from '../../../kit/button'
import { Select, TextInput } from '../../../kit/field'
import { JsonField } from '../../../kit/json-field'
import { Segmented } from '../../../kit/tabs'
import { useText } from '../../../text/catalogue'
import {
  BUILT_INS,
  complete,
  isObject,
  type Join,
  OPERATORS,
  operandOf,
  operandText,
  type RuleGroup,
  type RulePart,
  type Rules,
  type RuleTest,
  toDocument,
  toGroup,
} from './model'

interface BuilderProps {
  value: Rules
  onChange: (value: Rules) => void
  disabled?: boolean
}

/** Rules over attributes, as fields or as JSON. */
export function RuleBuilder({ value, onChange, disabled = false }: BuilderProps) {
  const t = useText('growth')
  const [group, setGroup] = useTree(value)
  const [wantsText, setText] = useState(false)
  const isText = wantsText || !group
  const change = (next: RuleGroup) => {
    setGroup(next)
    onChange(toDocument(complete(next)))
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <Segmented
          label={t.rulesAs}
          value={isText ? 'json' : 'fields'}
          onChange={(next) => setText(next === 'json')}
          options={[
            ['fields', t.asFields],
            ['json', t.asJson],
          ]}
        />
      </div>
      {isText ? (
        <>
          {!group && <p className="text-sm text-ink-2">{t.rulesTooDeep}</p>}
          <JsonField
            label={t.rules}
            value={value}
            isObject
            name="rules"
            rows={8}
            disabled={disabled}
            onChange={(next) => isObject(next) && onChange(next)}
          />
        </>
      ) : (
        <Group group={group} onChange={change} disabled={disabled} />
      )}
      <Hints rules={value} />
    </div>
  )
}

/** What is probably meant differently than it is evaluated, each kind once. */
function Hints({ rules }: { rules: Rules }) {
  const t = useText('growth')
  const reasons = [...new Set(hintsOf(rules).map(({ reason }) => reason))]
  return reasons.map((reason) => (
    <p key={reason} className="text-sm text-ink-2">
      {t.ruleHints[reason]}
    </p>
  ))
}

/** The tree that is edited. Rows without an attribute are in it and not in the document. */
function useTree(value: Rules): [RuleGroup | null, (group: RuleGroup) => void] {
  const [own, setOwn] = useState<RuleGroup | null>(null)
  const isCurrent = own !== null && JSON.stringify(toDocument(complete(own))) === JSON.stringify(value)
  return [isCurrent ? own : toGroup(value), setOwn]
}

interface GroupProps {
  group: RuleGroup
  onChange: (group: RuleGroup) => void
  disabled: boolean
  onRemove?: () => void
}

const NEW_TEST: RuleTest = { kind: 'test', attribute: '', operator: '$eq', operand: '' }

function Group({ group, onChange, disabled, onRemove }: GroupProps) {
  const t = useText('growth')
  const isOuter = onRemove === undefined
  const put = (index: number, part: RulePart | null) =>
    onChange({
      ...group,
      parts: part ? group.parts.with(index, part) : group.parts.filter((_, at) => at !== index),
    })
  const add = (part: RulePart) => onChange({ ...group, parts: [...group.parts, part] })
  return (
    <Box isOuter={isOuter}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select
          aria-label={t.join}
          className="max-w-72"
          value={group.join}
          disabled={disabled}
          onChange={({ target }) => onChange({ ...group, join: target.value as Join })}
          options={[
            ['all', t.joinAll],
            ['any', t.joinAny],
            ['none', t.joinNone],
          ]}
        />
        {onRemove && !disabled && (
          <IconButton label={t.removeGroup} onClick={onRemove}>
            <X aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      {group.parts.length === 0 && <p className="text-sm text-ink-2">{t.noTests}</p>}
      {group.parts.map((part, index) =>
        part.kind === 'test' ? (
          <Test key={index} test={part} disabled={disabled} onChange={(next) => put(index, next)} />
        ) : (
          <Group
            key={index}
            group={part}
            disabled={disabled}
            onChange={(next) => put(index, next)}
            onRemove={() => put(index, null)}
          />
        ),
      )}
      {!disabled && (
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" icon={<Plus aria-hidden size={14} />} onClick={() => add(NEW_TEST)}>
            {t.addTest}
          </Button>
          {isOuter && (
            <Button
              variant="quiet"
              icon={<Plus aria-hidden size={14} />}
              onClick={() => add({ kind: 'group', join: 'any', parts: [NEW_TEST] })}
            >
              {t.addGroup}
            </Button>
          )}
        </div>
      )}
    </Box>
  )
}

const Box = ({ isOuter, children }: { isOuter: boolean; children: ReactNode }) => (
  <div
    className={
      isOuter
        ? 'grid grid-cols-[minmax(0,1fr)] gap-2'
        : 'grid grid-cols-[minmax(0,1fr)] gap-2 rounded-control border border-line bg-sunken p-2'
    }
  >
    {children}
  </div>
)

interface TestProps {
  test: RuleTest
  onChange: (test: RuleTest | null) => void
  disabled: boolean
}

function Test({ test, onChange, disabled }: TestProps) {
  const t = useText('growth')
  const names = useId()
  const { attribute, operator, operand } = test
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 sm:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,5fr)_auto]">
      <TextInput
        aria-label={t.attribute}
        placeholder={t.attribute}
        className="font-mono max-sm:col-span-2"
        list={names}
        value={attribute}
        disabled={disabled}
        onChange={({ target }) => onChange({ ...test, attribute: target.value })}
      />
      <datalist id={names}>
        {BUILT_INS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Select
        aria-label={t.operator}
        className="max-sm:col-span-2"
        value={operator}
        disabled={disabled}
        onChange={({ target }) => {
          const next = OPERATORS.find((one) => one === target.value) ?? '$eq'
          onChange({ ...test, operator: next, operand: operandOf(next, operandText(operand)) })
        }}
        options={OPERATORS.map((name) => [name, t.operators[name]] as const)}
      />
      <Operand test={test} onChange={onChange} disabled={disabled} />
      {!disabled && (
        <IconButton label={t.removeTest(attribute)} onClick={() => onChange(null)}>
          <X aria-hidden size={14} />
        </IconButton>
      )}
    </div>
  )
}

/** The text stays as it is typed; the operand is what it means. */
function Operand({ test, onChange, disabled }: TestProps) {
  const t = useText('growth')
  const common = useText('common')
  const { operator, operand } = test
  const [typed, setTyped] = useState(operandText(operand))
  if (operator === '$exists') {
    return (
      <Select
        aria-label={t.value}
        value={String(operand)}
        disabled={disabled}
        onChange={({ target }) => onChange({ ...test, operand: target.value === 'true' })}
        options={[
          ['true', common.yes],
          ['false', common.no],
        ]}
      />
    )
  }
  const isSameMeaning = JSON.stringify(operandOf(operator, typed)) === JSON.stringify(operand)
  return (
    <TextInput
      aria-label={t.value}
      placeholder={t.listHint(operator)}
      className="font-mono"
      value={isSameMeaning ? typed : operandText(operand)}
      disabled={disabled}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange({ ...test, operand: operandOf(operator, target.value) })
      }}
    />
  )
}
