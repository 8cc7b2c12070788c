import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RuleOutcome } from '../../../../core/flag/evaluate'
import type { FlagEnvironment, FlagType } from '../../../../core/flag/names'
import { IconButton } from '../../../kit/button'
import { RowMenu } from '../../../kit/row-menu'
import { Chip } from '../../../kit/state'
import { cx } from '../../../lib/class-names'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import type { Rule } from './model'
import type { PersonFacts } from './preview-as'
import { Rollout, Who } from './rule-people'
import { useWords } from './use-words'
import { ValueInput } from './value-input'
import { ruleName } from './words'

interface RuleCardProps {
  rule: Rule
  index: number
  count: number
  env: FlagEnvironment
  type: FlagType
  flagKey: string
  handle: ReactNode
  known: readonly unknown[]
  person: PersonFacts | null
  outcome: RuleOutcome | null
  isEdited: boolean
  onChange: (rule: Rule) => void
  onMove: (from: number, to: number) => void
  onRemove: () => void
}

/** One rule: whom it is for, what they get, and how many of them. */
export function RuleCard(props: RuleCardProps) {
  const { rule, index, count, env, type, known, outcome, isEdited, onChange, onMove, onRemove } = props
  const t = useText('growth')
  const words = useWords()
  const [, setParams] = useParams()
  const name = ruleName(rule, words)
  const label = t.ruleOf(t.environments[env], index + 1)
  const open = () => setParams({ do: 'rule', in: env, rule: rule.uid }, { push: true })
  return (
    <article
      aria-label={`${label}, ${name}`}
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-control border bg-surface px-3 py-2',
        outcome === 'HIT' ? 'border-accent ring-1 ring-accent' : 'border-line',
        outcome === 'NOT_REACHED' && 'border-dashed border-line-2',
      )}
    >
      <header className="flex items-center gap-2">
        <span className="w-4 text-sm text-ink-2 tabular-nums">{index + 1}</span>
        <h3 className="min-w-0 flex-1 truncate text-sm font-medium" title={name}>
          {name}
        </h3>
        {outcome === 'NOT_REACHED' && <span className="text-xs text-ink-3">{t.notReached}</span>}
        {isEdited && <Chip tone="info">{t.edited}</Chip>}
        <IconButton label={t.editWho(index + 1)} onClick={open}>
          <Pencil aria-hidden size={14} />
        </IconButton>
        <RowMenu label={label} index={index} count={count} onMove={onMove} onRemove={onRemove} />
        {props.handle}
      </header>
      <Who rule={rule} />
      <div
        className={cx(
          'grid items-center gap-3 text-sm',
          type === 'JSON' ? 'grid-cols-[minmax(0,1fr)]' : 'grid-cols-[auto_minmax(0,1fr)]',
        )}
      >
        {type !== 'JSON' && <span className="text-ink-2">{t.serve}</span>}
        <ValueInput
          of={label}
          label={t.serve}
          type={type}
          value={rule.value}
          known={known}
          onChange={(value) => onChange({ ...rule, value })}
        />
      </div>
      <Rollout
        rule={rule}
        index={index}
        flagKey={props.flagKey}
        person={props.person}
        isLost={outcome === 'ROLLOUT'}
        onChange={onChange}
        label={label}
      />
    </article>
  )
}
