import { Kind, Type, TypeRegistry } from '@sinclair/typebox'
import { isJsonInteger, type JsonInteger } from '../lib/int64'

const KIND = 'JsonInteger'

TypeRegistry.Set(KIND, (_schema, value) => isJsonInteger(value))

const BEYOND = 'may exceed 2^53, so read its digits as a 64-bit integer'

/** A virtual-currency amount or balance in an answer. */
export const Int64 = (description?: string) =>
  Type.Unsafe<JsonInteger>({
    [Kind]: KIND,
    type: 'integer',
    format: 'int64',
    description: description === undefined ? `It ${BEYOND}` : `${description}; ${BEYOND}`,
  })

/** A sum of such amounts in an answer. */
export const SumOfInt64 = (description: string) =>
  Type.Unsafe<JsonInteger>({
    [Kind]: KIND,
    type: 'integer',
    description: `${description}; may exceed 64 bits, so read its digits as an integer without a bound`,
  })
