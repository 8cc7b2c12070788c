import type { FlagExplanation } from '../../../../core/flag/evaluate'
import type { FlagEnvironment } from '../../../../core/flag/names'
import { placeOf } from '../../../../core/flag/preview'
import { Because } from '../../../kit/mark'
import { formatNumber } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { valueText } from './model'
import type { PersonFacts } from './preview-as'

interface AnswerProps {
  env: FlagEnvironment
  answer: FlagExplanation
  person: PersonFacts
  flagKey: string
}

/** What the person gets in this environment, and why. */
export function Answer({ env, answer, person, flagKey }: AnswerProps) {
  const t = useText('growth')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-control bg-accent-soft px-3 py-2" data-answer={env}>
      <p className="flex items-center justify-between gap-3 text-sm">
        <span className="truncate">{t.personGets(person.name)}</span>
        <b className="max-w-[60%] truncate font-mono font-semibold" title={valueText(answer.value)}>
          {valueText(answer.value)}
        </b>
      </p>
      <Because>{useReason(answer, person, flagKey)}</Because>
    </div>
  )
}

function useReason({ reason, rule, outcomes }: FlagExplanation, person: PersonFacts, flagKey: string): string {
  const t = useText('growth')
  const reading = useReading()
  const place = (index: number) => formatNumber(reading, placeOf(person.bucketingId, flagKey, index))
  if (reason === 'DISABLED') return t.becauseOff
  if (reason === 'STATIC') return t.becauseNoRules
  if (rule !== null) return t.becauseRule(rule + 1, place(rule))
  const lost = outcomes.indexOf('ROLLOUT')
  return lost < 0 ? t.becauseNoMatch : t.becauseRollout(lost + 1, place(lost))
}
