import { Plus } from 'lucide-react'
import { compileAudiences } from '../../../../core/audience/matchers'
import type { FlagExplanation } from '../../../../core/flag/evaluate'
import type { FlagEnvironment } from '../../../../core/flag/names'
import { previewFlag } from '../../../../core/flag/preview'
import type { FlagRow } from '../../../../core/flag/schema'
import { Button } from '../../../kit/button'
import { isSame } from '../../../kit/draft'
import type { Edit } from '../../../kit/edit'
import { moved, SortableList } from '../../../kit/sortable'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { Answer } from './answer'
import { DefaultValue, Differences } from './everybody-else'
import { type EnvironmentState, type FlagState, freshUid, otherOf, type Rule, toRuleBody } from './model'
import type { PersonFacts } from './preview-as'
import { RuleCard } from './rule-card'
import { useWords } from './use-words'
import { ruleName } from './words'

export interface CardProps {
  flagKey: string
  edit: Edit<FlagState>
  person: PersonFacts | null
  env: FlagEnvironment
  onChange: (state: EnvironmentState | null) => void
}

export function EnvironmentBody({
  env,
  flagKey,
  edit,
  person,
  onChange,
  state,
}: CardProps & { state: EnvironmentState }) {
  const t = useText('growth')
  const words = useWords()
  const [, setParams] = useParams()
  const { type } = edit.draft.value
  const { rules } = state
  const setRules = (next: Rule[]) => onChange({ ...state, rules: next })
  const move = (from: number, to: number) => setRules(moved(rules, from, to))
  const known = [state.defaultValue, ...rules.map(({ value }) => value)]
  const answer = useAnswer({ key: flagKey, env, type }, state, person)
  const saved = edit.draft.base.value.environments[env]
  const savedRule = (uid: string) => saved?.rules.find((one) => one.uid === uid)
  const add = () => {
    const uid = freshUid(rules)
    setRules([
      ...rules,
      {
        uid,
        audienceId: null,
        conditions: null,
        value: otherOf(type, state.defaultValue),
        rollout: null,
        bucketBy: null,
      },
    ])
    setParams({ do: 'rule', in: env, rule: uid }, { push: true })
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2 px-3 pb-3">
        {answer && person && <Answer env={env} answer={answer} person={person} flagKey={flagKey} />}
        {rules.length === 0 && (
          <p className="rounded-control border border-dashed border-line-2 px-4 py-5 text-center text-sm text-ink-2">
            {t.noRules}
          </p>
        )}
        <SortableList items={rules} keyOf={({ uid }) => uid} nameOf={(rule) => ruleName(rule, words)} onMove={move}>
          {(rule, index, handle) => (
            <RuleCard
              rule={rule}
              index={index}
              count={rules.length}
              env={env}
              type={type}
              flagKey={flagKey}
              handle={handle}
              known={known}
              person={person}
              outcome={answer?.outcomes[index] ?? null}
              isEdited={edit.draft.isChanged && !isSame(savedRule(rule.uid), rule)}
              onChange={(next) => setRules(rules.with(index, next))}
              onMove={move}
              onRemove={() => setRules(rules.filter((_, at) => at !== index))}
            />
          )}
        </SortableList>
        <div>
          <Button variant="quiet" icon={<Plus aria-hidden size={14} />} onClick={add}>
            {t.addRule}
            <span className="sr-only">{t.environments[env]}</span>
          </Button>
        </div>
      </div>
      <DefaultValue
        env={env}
        type={type}
        value={state.defaultValue}
        known={known}
        isAnswer={answer !== null && answer.rule === null}
        onChange={(defaultValue) => onChange({ ...state, defaultValue })}
      />
      <Differences env={env} flag={edit.draft.value} />
    </>
  )
}

/** What the person gets by the draft. */
function useAnswer(
  flag: Pick<FlagRow, 'key' | 'env' | 'type'>,
  state: EnvironmentState,
  person: PersonFacts | null,
): FlagExplanation | null {
  const { audiences } = useWords()
  if (!person) return null
  return previewFlag({ ...flag, ...state, rules: state.rules.map(toRuleBody) }, person, compileAudiences(audiences))
}
