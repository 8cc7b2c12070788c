import { nameFault } from '../../targeting/audiences/check'
import type { RuleFault } from '../../targeting/audiences/model'
import { parseRules } from '../../targeting/audiences/rules'
import { MAX_RULES } from '../../targeting/flags/check'
import type { FlagEnvironment, FlagType } from '../../targeting/flags/model'
import { valueFault } from '../../targeting/flags/value'
import { description } from './fields'
import type { AudienceState, FlagEntry, FlagRuleState, FlagState, Wanted } from './model'
import { bool, checkedText, list, type Members, number, object, oneOf, type Read, toJson } from './reader'
import { section } from './section'

export const checkAudienceName = (name: string): string | null => {
  const trouble = nameFault(name)
  return trouble === null ? null : `The name of an audience ${trouble}`
}

/** The name of an audience of the project. */
export const audienceName: Read<string> = (spot) => {
  const name = checkedText(255, checkAudienceName)(spot)
  if (name !== undefined) spot.refer('audience', name)
  return name
}

/** A rules document (wire 5.3); what is wrong is told where it stands. */
const rules: Read<Record<string, unknown>> = (spot) => {
  const document = toJson(spot.node)
  const parsed = parseRules(document)
  if (parsed.ok) return document as Record<string, unknown> // The language takes objects only.
  spot.failAt(parsed.fault.steps.slice(1), adviceOf(parsed.fault))
}

const adviceOf = ({ path, message }: RuleFault): string => `This ${message.slice(path.length + 2)}`

const audience = (members: Members): AudienceState => ({
  description: members.optional('description', description, null),
  rules: members.required('rules', rules, {}),
})

export const audienceSection: Read<Wanted<AudienceState>[]> = section(audience, {
  check: checkAudienceName,
  read: checkedText(255, checkAudienceName),
})

const TYPES: readonly FlagType[] = ['BOOLEAN', 'STRING', 'NUMBER', 'JSON']
export const ENVIRONMENTS: readonly FlagEnvironment[] = ['PROD', 'STAGING', 'DEVELOPMENT']

/** A value of the flag's type; nothing can be said about values of no type. */
const typedValue =
  (type: FlagType | null): Read<unknown> =>
  (spot) => {
    const value = toJson(spot.node)
    const trouble = type === null ? null : valueFault(type, value)
    return trouble === null ? value : spot.fail(`This ${trouble}`)
  }

const rule = (type: FlagType | null): Read<FlagRuleState> =>
  object((members) => ({
    audience: members.optional<string | null>('audience', audienceName, null),
    conditions: members.optional<Record<string, unknown> | null>('conditions', rules, null),
    value: members.required('value', typedValue(type), false),
    rolloutPercentage: members.optional<number | null>('rollout', number(0, 1), null),
  }))

const environment = (type: FlagType | null): Read<FlagState> =>
  object((members) => ({
    type: type ?? 'JSON',
    description: members.optional<string | null>('description', description, null),
    isEnabled: members.optional('enabled', bool, true),
    defaultValue: members.required('default', typedValue(type), false),
    rules: members.optional('rules', list(rule(type), MAX_RULES), []),
  }))

const environments =
  (type: FlagType | null): Read<FlagEntry['environments']> =>
  (spot) => {
    const found = object((members) => {
      const states: FlagEntry['environments'] = {}
      for (const name of ENVIRONMENTS) {
        const state = members.take(name)
        const read = state && environment(type)(state)
        if (read) states[name] = read
      }
      return states
    })(spot)
    const isEmpty = spot.node.kind === 'map' && spot.node.members.size === 0
    return isEmpty ? spot.fail(`This must have at least one of ${ENVIRONMENTS.join(', ')}`) : found
  }

const flag = (members: Members): FlagEntry => {
  const type = members.required<FlagType | null>('type', oneOf(TYPES), null)
  return { type: type ?? 'JSON', environments: members.required('environments', environments(type), {}) }
}

export const flagSection: Read<Wanted<FlagEntry>[]> = section(flag)
