import type { FlagEntry } from '../../../core/flag/file'
import { ENVIRONMENTS, type FlagType, isAttributeName, MAX_RULES, NAMES_AN_ATTRIBUTE } from '../../../core/flag/names'
import { valueFault } from '../../../core/flag/value'
import { description } from '../../../projects/project-file/fields'
import { form, may, must, orNone } from '../../../projects/project-file/form'
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
import { audienceName, rules } from '../../audiences/project-file/form'

const TYPES: readonly FlagType[] = ['BOOLEAN', 'STRING', 'NUMBER', 'JSON']

/** Reads the name of an attribute. */
export const bucketBy: Read<string> = (spot) => {
  if (spot.draws(() => ({ type: 'string', minLength: 1 }))) return undefined
  const name = toJson(spot.node)
  return isAttributeName(name) ? name : spot.fail(`This ${NAMES_AN_ATTRIBUTE}`)
}

/** Reads a value of the flag's type. Without a valid type, the value is not checked. */
const typedValue =
  (type: FlagType | null): Read<unknown> =>
  (spot) => {
    if (spot.draws(() => ({}))) return undefined
    const value = toJson(spot.node)
    const fault = type === null ? null : valueFault(type, value)
    return fault === null ? value : spot.fail(`This ${fault}`)
  }

const rule = (type: FlagType | null) =>
  form({
    audience: orNone(audienceName),
    conditions: orNone(rules),
    value: must(typedValue(type), false),
    rolloutPercentage: orNone(number(0, 1), 'rollout'),
    bucketBy: orNone(bucketBy),
  })

const environment = (type: FlagType | null) =>
  form({
    description: orNone(description),
    isEnabled: may(bool, true, 'enabled'),
    defaultValue: must(typedValue(type), false, 'default'),
    rules: may(list(rule(type), MAX_RULES), []),
  })

const environments =
  (type: FlagType | null): Read<FlagEntry['environments']> =>
  (spot) => {
    const found = object((members) => {
      const states: FlagEntry['environments'] = {}
      for (const name of ENVIRONMENTS) {
        const state = members.take(name)
        const read = state && environment(type)(state)
        if (read) states[name] = { type: type ?? 'JSON', ...read }
      }
      return states
    })(spot)
    const isEmpty = spot.node.kind === 'map' && spot.node.members.size === 0
    return isEmpty ? spot.fail(`This must have at least one of ${ENVIRONMENTS.join(', ')}`) : found
  }

/** Reads a flag. How it is written is in `core/flag/file.ts`, for the console too. */
export const readFlag = (members: Members): FlagEntry => {
  const type = members.required<FlagType | null>('type', oneOf(TYPES), null)
  return { type: type ?? 'JSON', environments: members.required('environments', environments(type), {}) }
}
