import { deviceKeyFault } from '../../../people/subscribers/device-key'
import { OfrepRefusal } from './refusal'

/** For whom flags are evaluated, and the attributes of this call alone. */
export interface EvaluationContext {
  targetingKey: string
  /** The members that can be attributes; nested values are left out. */
  attributes: Record<string, string | number | boolean>
}

// The same limits as for saved attributes (wire 6).
const MAX_KEY = 40
const MAX_VALUE = 500
const MAX_ATTRIBUTES = 50
const MAX_REFERENCE = 255

/** Reads the context of a request; throws a refusal that says what is wrong. A public key may name device keys only. */
export function readContext(context: unknown, presented: 'public' | 'secret'): EvaluationContext {
  if (context !== undefined && !isObject(context)) throw invalidContext('context must be an object')
  const { targetingKey, ...members } = context ?? {}
  if (typeof targetingKey !== 'string' || targetingKey === '')
    throw new OfrepRefusal('TARGETING_KEY_MISSING', 'Send the device key as targetingKey in the context')
  const fault = presented === 'public' ? deviceKeyFault(targetingKey) : referenceFault(targetingKey)
  if (fault !== null) throw invalidContext(`targetingKey must ${fault}`)
  return { targetingKey, attributes: attributesIn(members) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalidContext = (message: string): OfrepRefusal => new OfrepRefusal('INVALID_CONTEXT', message)

const referenceFault = (reference: string): string | null =>
  reference.length > MAX_REFERENCE ? `have at most ${MAX_REFERENCE} characters` : null

function attributesIn(members: Record<string, unknown>): EvaluationContext['attributes'] {
  const joining = Object.entries(members).filter((entry): entry is [string, Scalar] => isScalar(entry[1]))
  if (joining.length > MAX_ATTRIBUTES)
    throw invalidContext(`context must have at most ${MAX_ATTRIBUTES} attributes, and this one has ${joining.length}`)
  for (const [name, value] of joining) {
    const fault = faultOf(name, value)
    if (fault !== null) throw invalidContext(fault)
  }
  return Object.fromEntries(joining)
}

type Scalar = string | number | boolean

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function faultOf(name: string, value: Scalar): string | null {
  if (name.length > MAX_KEY)
    return `context: a name must have at most ${MAX_KEY} characters, and one has ${name.length}`
  if (typeof value === 'string' && value.length > MAX_VALUE)
    return `context.${name} must have at most ${MAX_VALUE} characters`
  if (typeof value === 'number' && !isExact(value))
    return `context.${name} must be within ±(2^53−1); send a longer number as text`
  return null
}

const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
