import type { FlagEnvironment, FlagRule } from '../../targeting/flags/model'
import { type Flag, plainRule } from '../../targeting/flags/service'
import { splitFlagName } from './current-targeting'
import type { FlagRuleState, FlagState } from './model'
import { idOf } from './rows'

type AudienceIds = ReadonlyMap<string, string>

export function flagRow(id: string, name: string, { rules, ...state }: FlagState, audienceIds: AudienceIds): Flag {
  const { key, env } = splitFlagName(name)
  const ruleRows = rules.map((rule) => ruleRow(rule, audienceIds))
  return { id, key, env: env as FlagEnvironment, ...state, rules: ruleRows } // The name was made of one.
}

const ruleRow = ({ audience, ...rule }: FlagRuleState, audienceIds: AudienceIds): FlagRule =>
  plainRule({ ...rule, audienceId: audience === null ? null : idOf(audienceIds, audience) })
