import { description } from '../../../projects/project-file/fields'
import type { Wanted } from '../../../projects/project-file/model'
import { objects } from '../../../projects/project-file/objects'
import {
  bool,
  list,
  type Members,
  number,
  object,
  oneOf,
  type Read,
  toJson,
} from '../../../projects/project-file/reader'
import { audienceName } from '../../audiences/project-file/model'
import { rules } from '../../audiences/project-file/rules'
import { MAX_RULES } from '../check'
import type { FlagRuleState, FlagState } from '../file-state'
import type { FlagType } from '../model'
import { valueFault } from '../value'
import { bucketBy } from './bucket-by'
import { ENVIRONMENTS, type FlagEntry } from './model'

const TYPES: readonly FlagType[] = ['BOOLEAN', 'STRING', 'NUMBER', 'JSON']

/** Reads a value of the flag's type. Without a valid type, the value is not checked. */
const typedValue =
  (type: FlagType | null): Read<unknown> =>
  (spot) => {
    if (spot.draws(() => ({}))) return undefined
    const value = toJson(spot.node)
    const fault = type === null ? null : valueFault(type, value)
    return fault === null ? value : spot.fail(`This ${fault}`)
  }

const rule = (type: FlagType | null): Read<FlagRuleState> =>
  object((members) => ({
    audience: members.optional<string | null>('audience', audienceName, null),
    conditions: members.optional<Record<string, unknown> | null>('conditions', rules, null),
    value: members.required('value', typedValue(type), false),
    rolloutPercentage: members.optional<number | null>('rollout', number(0, 1), null),
    bucketBy: members.optional<string | null>('bucketBy', bucketBy, null),
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

export const parseFlags: Read<Wanted<FlagEntry>[]> = objects(flag)
