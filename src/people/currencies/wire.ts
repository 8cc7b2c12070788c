import { type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../base/errors'
import { MAX_AMOUNT } from './ledger'
import type { TransactionInput } from './post-transaction'

const strict = { additionalProperties: false } as const

export const BalancesAnswer = Type.Object(
  {
    data: Type.Object(
      { balances: Type.Record(Type.String(), Type.Integer(), { description: 'Currency code to balance' }) },
      strict,
    ),
  },
  strict,
)

export const SubscriberParams = Type.Object(
  {
    appUserId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]*$',
      description: 'Subscriber reference: a sub_ id, your own user id, or a device key',
    }),
  },
  strict,
)

export const TransactionParams = Type.Composite(
  [SubscriberParams, Type.Object({ code: Type.String({ minLength: 1, maxLength: 64, description: 'Currency code' }) })],
  strict,
)

const MAX_KEY_LENGTH = 120

/** The schema allows more characters than `MAX_KEY_LENGTH`, because blanks around the key do not count. */
const KeyText = { minLength: 1, maxLength: 255 }

export const TransactionBody = Type.Object(
  {
    amount: Type.Integer({
      minimum: -MAX_AMOUNT,
      maximum: MAX_AMOUNT,
      description: 'Not 0; negative debits, positive grants',
    }),
    idempotencyKey: Type.Optional(
      Type.String({
        ...KeyText,
        description: 'Required, 1 to 120 characters after trimming; a key books once per person and currency',
      }),
    ),
    referenceId: Type.Optional(
      Type.String({ ...KeyText, description: 'Alias of idempotencyKey; equal when both are given' }),
    ),
    description: Type.Optional(Type.String({ maxLength: 200 })),
    referenceType: Type.Optional(Type.String({ maxLength: 60, description: 'Your own word for what the key names' })),
  },
  strict,
)

export const TransactionAnswer = Type.Object(
  {
    data: Type.Object(
      {
        code: Type.String(),
        balance: Type.Integer({ description: 'Balance right after the transaction' }),
        transactionId: Type.String({ description: 'vtx_ id' }),
        replayed: Type.Boolean({ description: 'True when the key was booked before; balance and id are the original' }),
      },
      strict,
    ),
  },
  strict,
)

/** Converts the body to the service's input. Checks what the schema cannot express; 400 names the field. */
export function readTransaction(body: Static<typeof TransactionBody>): Omit<TransactionInput, 'code' | 'requestId'> {
  if (body.amount === 0) throw invalid('body/amount: Expected an integer other than 0')
  const { amount, description = null, referenceType = null } = body
  return { amount, idempotencyKey: keyOf(body), description, referenceType }
}

function keyOf({ idempotencyKey, referenceId }: Static<typeof TransactionBody>): string {
  const key = (idempotencyKey ?? referenceId)?.trim()
  if (key === undefined) throw invalid('body/idempotencyKey: Expected required property')
  if (referenceId !== undefined && referenceId.trim() !== key)
    throw invalid('body/referenceId: Expected the same text as idempotencyKey')
  if (key.length < 1 || key.length > MAX_KEY_LENGTH)
    throw invalid(`body/idempotencyKey: Expected 1 to ${MAX_KEY_LENGTH} characters after trimming`)
  return key
}
