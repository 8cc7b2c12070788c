import type { FlagEnvironment, FlagType } from '../../../../core/flag/names'
import type { Schemas } from '../../../api/schemas'
import { isObject, type Rules } from '../rules/model'

export type FlagView = Schemas['FeatureFlagOfKey']

/** The revision of a flag that no environment has: with it, only a new flag is written. A server test holds it. */
export const NO_FLAG = 87221350796331

/** A rule of a draft. The uid keeps it the same rule while its place and content change. */
export interface Rule {
  uid: string
  audienceId: string | null
  conditions: Rules | null
  value: unknown
  /** A fraction of 1; null = everybody whom the rule matches. */
  rollout: number | null
  /** The attribute by which the rollout is drawn. */
  bucketBy: string | null
}

export interface EnvironmentState {
  isEnabled: boolean
  defaultValue: unknown
  rules: Rule[]
}

export interface FlagState {
  type: FlagType
  description: string
  environments: Record<FlagEnvironment, EnvironmentState | null>
}

export const toState = ({ type, description, environments }: FlagView): FlagState => ({
  type,
  description: description ?? '',
  environments: {
    PROD: environmentOf(environments.PROD),
    STAGING: environmentOf(environments.STAGING),
    DEVELOPMENT: environmentOf(environments.DEVELOPMENT),
  },
})

const environmentOf = (saved: Schemas['FlagEnvironment'] | null): EnvironmentState | null =>
  saved && {
    isEnabled: saved.isEnabled,
    defaultValue: saved.defaultValue,
    rules: saved.rules.map((rule, index) => ruleOf(rule, `s${index}`)),
  }

function ruleOf(stored: unknown, uid: string): Rule {
  const rule = isObject(stored) ? (stored as Partial<Schemas['FlagRuleRequest']>) : {}
  return {
    uid,
    audienceId: rule.audienceId ?? null,
    conditions: isObject(rule.conditions) ? rule.conditions : null,
    value: rule.value ?? null,
    rollout: rule.rolloutPercentage ?? null,
    bucketBy: rule.bucketBy ?? null,
  }
}

export const toBody = ({ type, description, environments }: FlagState): Schemas['FeatureFlagOfKeyRequest'] => ({
  type,
  description: description.trim() === '' ? null : description,
  environments: {
    PROD: bodyOf(environments.PROD),
    STAGING: bodyOf(environments.STAGING),
    DEVELOPMENT: bodyOf(environments.DEVELOPMENT),
  },
})

const bodyOf = (state: EnvironmentState | null): Schemas['FlagEnvironmentRequest'] | null =>
  state && { ...state, rules: state.rules.map(toRuleBody) }

export const toRuleBody = ({ audienceId, conditions, value, rollout, bucketBy }: Rule): Schemas['FlagRuleRequest'] => ({
  ...(audienceId !== null && { audienceId }),
  ...(conditions !== null && Object.keys(conditions).length > 0 && { conditions }),
  value,
  ...(rollout !== null && { rolloutPercentage: rollout }),
  ...(bucketBy !== null && { bucketBy }),
})

/** A name that no rule of the environment has. */
export function freshUid(rules: readonly Rule[]): string {
  const taken = rules.map(({ uid }) => Number(uid.slice(1)))
  return `n${Math.max(-1, ...taken) + 1}`
}

export const blankOf = (type: FlagType): unknown => ({ BOOLEAN: false, STRING: '', NUMBER: 0, JSON: {} })[type]

/** The opposite of the default, for a new rule; the default itself where there is none. */
export const otherOf = (type: FlagType, value: unknown): unknown => (type === 'BOOLEAN' ? value !== true : value)

export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
