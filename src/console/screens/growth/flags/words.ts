import { ENVIRONMENTS, type FlagEnvironment } from '../../../../core/flag/names'
import { type Change, changesBetween, type Line } from '../../../kit/changes'
import { isSame } from '../../../kit/draft'
import type { Texts } from '../../../text/catalogue'
import { rulesText } from '../rules/model'
import { type EnvironmentState, type FlagState, type Rule, valueText } from './model'

export interface Words {
  t: Texts['growth']
  audienceName: (id: string) => string
  percent: (share: number) => string
}

/** Whom a rule is for, in words. */
export function ruleName({ audienceId, conditions }: Pick<Rule, 'audienceId' | 'conditions'>, words: Words): string {
  const hasConditions = conditions !== null && Object.keys(conditions).length > 0
  if (audienceId !== null) return words.audienceName(audienceId)
  return hasConditions ? words.t.conditions : words.t.everybody
}

function ruleText(rule: Rule, words: Words): string {
  const { conditions, value, rollout } = rule
  const parts = [ruleName(rule, words)]
  if (conditions && Object.keys(conditions).length > 0) parts.push(rulesText(conditions))
  return `${parts.join(', ')}: ${valueText(value)}, ${words.percent(rollout ?? 1)}`
}

/** A flag in words, one line for each switch, default and rule. */
export function flagLines(state: FlagState, words: Words): Line[] {
  const { t } = words
  return [
    { key: 'type', label: t.valueType, text: t.types[state.type] },
    { key: 'description', label: t.description, text: state.description },
    ...ENVIRONMENTS.flatMap((env) => environmentLines(env, state.environments[env], words)),
  ]
}

export function environmentLines(env: FlagEnvironment, state: EnvironmentState | null, words: Words): Line[] {
  const { t } = words
  const name = t.environments[env]
  if (!state) return [{ key: `${env}.switch`, label: `${name}, ${t.state}`, text: t.notThere }]
  const { rules } = state
  return [
    { key: `${env}.switch`, label: `${name}, ${t.state}`, text: state.isEnabled ? t.on : t.off },
    { key: `${env}.default`, label: `${name}, ${t.everybodyElse}`, text: valueText(state.defaultValue) },
    ...rules.map((rule, index) => ({
      key: `${env}.rule.${rule.uid}`,
      label: t.ruleOf(name, index + 1),
      text: ruleText(rule, words),
    })),
    { key: orderKey(env), label: `${name}, ${t.order}`, text: rules.map((rule) => ruleName(rule, words)).join(' › ') },
  ]
}

const orderKey = (env: FlagEnvironment): string => `${env}.order`

/** The order of rules is a change of its own only where rules that stay were moved. */
export const withoutOrder = (changes: Change[], before: FlagState, after: FlagState): Change[] =>
  changes.filter(({ key }) => !ENVIRONMENTS.some((env) => key === orderKey(env) && !isMoved(env, before, after)))

function isMoved(env: FlagEnvironment, before: FlagState, after: FlagState): boolean {
  const uidsOf = (state: FlagState) => state.environments[env]?.rules.map(({ uid }) => uid) ?? []
  const [old, young] = [uidsOf(before), uidsOf(after)]
  return !isSame(
    old.filter((uid) => young.includes(uid)),
    young.filter((uid) => old.includes(uid)),
  )
}

/** Rules are compared by their place. */
export function differencesBetween(a: FlagEnvironment, b: FlagEnvironment, flag: FlagState, words: Words): Change[] {
  const linesOf = (env: FlagEnvironment) => {
    const state = flag.environments[env]
    const placed = state && { ...state, rules: state.rules.map((rule, index) => ({ ...rule, uid: `s${index}` })) }
    return environmentLines(a, placed, words).filter(({ key }) => !key.endsWith('.order'))
  }
  return changesBetween(linesOf(b), linesOf(a))
}
