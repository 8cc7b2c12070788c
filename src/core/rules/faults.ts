import type { RuleFault, RuleFaultReason, RulePath } from './model'

export const MAX_DEPTH = 8
export const MAX_NODES = 256
export const MAX_ITEMS = 500
export const MAX_BYTES = 32 * 1024
/** Of all regular expressions of a document, with every repetition written out. A value has at most 500 characters. */
export const MAX_STEPS = 5000

const MAX_KEY_SHOWN = 40

/** `rules.$and[2].country.$gt` */
export const formatRulePath = (path: RulePath): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${shortened(step)}`))
    .join('')

const shortened = (key: string): string => (key.length > MAX_KEY_SHOWN ? `${key.slice(0, MAX_KEY_SHOWN)}…` : key)

/** Give `advice` where the reason alone does not say what to change. */
export function ruleFault(reason: RuleFaultReason, steps: RulePath, advice: string = ADVICE[reason]): RuleFault {
  const path = formatRulePath(steps)
  return { reason, path, steps, message: `${path}: ${advice}` }
}

const ADVICE: Record<RuleFaultReason, string> = {
  NOT_AN_OBJECT: 'must be an object of attributes and what they have to be',
  UNKNOWN_OPERATOR: 'is not an operator of rules; /docs/guide/reference/rules lists them',
  MISPLACED_OPERATOR: 'stands in the wrong place: $and, $or and $nor hold whole rules, the others follow an attribute',
  NOT_AN_OPERATOR: 'is not an operator; attributes have no members, and a name with a dot is written as one key',
  EMPTY_CONDITION: 'asks nothing; give it an operator, or leave the attribute out',
  WRONG_OPERAND: 'has a value of the wrong kind',
  TOO_DEEP: `lies deeper than ${MAX_DEPTH} levels`,
  TOO_MANY_NODES: `is one part too many; rules have at most ${MAX_NODES}`,
  TOO_MANY_ITEMS: `has more than ${MAX_ITEMS} items`,
  TOO_LARGE: `must have at most ${MAX_BYTES / 1024} KiB of JSON`,
}
