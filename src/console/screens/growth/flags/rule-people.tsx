import { placeOf } from '../../../../core/flag/preview'
import { NumberInput } from '../../../kit/number-input'
import { cx } from '../../../lib/class-names'
import { useText } from '../../../text/catalogue'
import { fractionOf, percentOf } from '../percent'
import { bothOf, rulesText } from '../rules/model'
import { usePreview } from '../rules/use-preview'
import type { Rule } from './model'
import type { PersonFacts } from './preview-as'
import { useWords } from './use-words'

/** The conditions as code, and how many people they match. */
export function Who({ rule }: { rule: Rule }) {
  const t = useText('growth')
  const { audiences } = useWords()
  const rules = rulesOf(rule, audiences)
  const { data } = usePreview(rules)
  const text = rulesText(rules)
  return (
    <p className="flex min-w-0 gap-1.5 text-xs text-ink-2">
      {text !== '' && (
        <code className="min-w-0 truncate font-mono" title={text}>
          {text}
        </code>
      )}
      <span className="whitespace-nowrap">
        {text !== '' && '· '}
        {data ? t.people(data.matching) : '…'}
      </span>
    </p>
  )
}

/** Everything a person must fulfil for the rule. */
export const rulesOf = (rule: Rule, audiences: readonly { id: string; rules: unknown }[]) =>
  bothOf(audiences.find(({ id }) => id === rule.audienceId)?.rules, rule.conditions)

const PERCENT = 100

interface RolloutProps {
  rule: Rule
  index: number
  flagKey: string
  person: PersonFacts | null
  /** The rollout is what keeps the person out. */
  isLost: boolean
  onChange: (rule: Rule) => void
  label: string
}

/** The share of the people of a rule that gets its value. */
export function Rollout({ rule, index, flagKey, person, isLost, onChange, label }: RolloutProps) {
  const t = useText('growth')
  const { audiences } = useWords()
  const { data } = usePreview(rulesOf(rule, audiences))
  const share = rule.rollout ?? 1
  const percent = percentOf(share)
  const set = (next: number) => onChange({ ...rule, rollout: next === PERCENT ? null : fractionOf(next) })
  const place = person ? placeOf(person.bucketingId, flagKey, index) / PERCENT : null
  return (
    <div className="grid gap-0.5">
      <div className="flex items-center gap-2">
        <div className="relative min-w-0 flex-1">
          <input
            type="range"
            min={0}
            max={100}
            step={1}
            value={percent}
            aria-label={t.rolloutOf(label)}
            onChange={({ target }) => set(Number(target.value))}
            className="h-6 w-full accent-(--accent)"
          />
          {place !== null && (
            <span
              aria-hidden
              className="pointer-events-none absolute top-0.5 h-5 w-0.5 bg-ink"
              style={{ left: `${place}%` }}
            />
          )}
        </div>
        <span className="inline-flex w-24 shrink-0 items-center gap-1 text-sm tabular-nums">
          <NumberInput
            min={0}
            max={100}
            aria-label={t.percentOf(label)}
            className="text-right"
            value={percent}
            onChange={set}
          />
          %
        </span>
      </div>
      <p className="flex justify-between gap-2 text-xs text-ink-2">
        <span>{data ? t.aboutPeople(Math.round(data.matching * share)) : ''}</span>
        {person && place !== null && (
          <span className={cx('truncate', isLost && 'text-bad')}>{t.personAt(person.name, place)}</span>
        )}
      </p>
    </div>
  )
}
