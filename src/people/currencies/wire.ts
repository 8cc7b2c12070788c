import { type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../base/errors'
import { Int64 } from '../../base/http/int64-schema'
import { digitsOf, readInt64, toJsonInteger } from '../../base/lib/int64'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PostedTransaction, TransactionInput } from './post-transaction'
import type { LedgerRow } from './queries'

const strict = { additionalProperties: false } as const

export const BalancesSchema = Type.Object(
  { balances: Type.Record(Type.String(), Int64(), { description: 'Currency code to balance' }) },
  strict,
)

export const BalancesAnswer = Type.Object({ data: BalancesSchema }, strict)

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
      format: 'int64',
      description:
        'Within ±(2^63−1) and not 0; negative debits, positive grants. It is read from its digits, so send those beyond 2^53 as well',
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
  { ...strict, title: 'CurrencyTransactionRequest' },
)

export const TransactionAnswer = Type.Object(
  {
    data: Type.Object(
      {
        code: Type.String(),
        balance: Int64('Balance right after the transaction'),
        transactionId: Type.String({ description: 'vtx_ id' }),
        replayed: Type.Boolean({ description: 'True when the key was booked before; balance and id are the original' }),
      },
      { ...strict, title: 'CurrencyTransaction' },
    ),
  },
  strict,
)

/**
 * Converts the body to the service's input. The amount is read from the body's bytes, because parsing has rounded it.
 * Checks what the schema cannot express; 400 names the field.
 */
export function readTransaction(
  body: Omit<Static<typeof TransactionBody>, 'amount'>,
  bytes: Uint8Array,
): Pick<TransactionInput, 'amount' | 'idempotencyKey' | 'description' | 'referenceType'> {
  const { description = null, referenceType = null } = body
  return { amount: amountIn(bytes), idempotencyKey: keyOf(body), description, referenceType }
}

export const LedgerEntrySchema = Type.Object(
  {
    id: Type.String({ description: 'vtx_ id' }),
    code: Type.String({ description: 'Currency code' }),
    type: Type.String({ description: 'PURCHASE, SPEND, REFUND, BONUS, EXPIRE, TRANSFER_IN or TRANSFER_OUT' }),
    amount: Int64('Negative for what was taken'),
    balance: Int64('Balance right after the entry'),
    referenceType: Type.Union([Type.String(), Type.Null()]),
    referenceId: Type.Union([Type.String(), Type.Null()]),
    description: Type.Union([Type.String(), Type.Null()]),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { ...strict, title: 'LedgerEntry' },
)

export const toLedgerView = ({ catalog }: ProjectState, row: LedgerRow) => ({
  id: row.id,
  code: catalog.currencies.get(row.currencyId)?.code ?? row.currencyId,
  type: row.type,
  amount: toJsonInteger(row.amount),
  balance: toJsonInteger(row.balance),
  referenceType: row.referenceType,
  referenceId: row.referenceId,
  description: row.description,
  createdAt: toIso(row.createdAt),
})

export const CreditsBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, description: 'Currency code' }),
    amount: Type.Integer({
      format: 'int64',
      description: 'Within ±(2^63−1) and not 0; negative takes, positive gives. It is read from its digits',
    }),
    idempotencyKey: Type.String({ ...KeyText, description: '1 to 120 characters after trimming; a key books once' }),
    description: Type.Optional(Type.String({ maxLength: 200 })),
    dryRun: Type.Optional(Type.Boolean({ description: 'Answers what would happen, and writes nothing' })),
  },
  { ...strict, title: 'CreditsRequest' },
)

export const CreditsAnswer = Type.Object(
  {
    data: Type.Object(
      {
        code: Type.String(),
        balance: Int64('Balance right after the transaction'),
        transactionId: Type.Union([Type.String(), Type.Null()], { description: 'vtx_ id; null of a dry run' }),
        replayed: Type.Boolean({ description: 'True when the key was booked before; balance and id are the original' }),
        dryRun: Type.Boolean(),
        balances: Type.Object({ before: Int64(), after: Int64() }, strict),
        eventTypes: Type.Array(Type.String(), { description: 'The events of the transaction' }),
      },
      { ...strict, title: 'Credits' },
    ),
  },
  strict,
)

export const toCreditsView = (posted: PostedTransaction, dryRun: boolean) => ({
  code: posted.code,
  balance: toJsonInteger(posted.balance),
  transactionId: dryRun && !posted.replayed ? null : posted.transactionId,
  replayed: posted.replayed,
  dryRun,
  balances: { before: toJsonInteger(posted.balanceBefore), after: toJsonInteger(posted.balance) },
  eventTypes: posted.replayed ? [] : ['currency.transaction'],
})

const utf8 = new TextDecoder()

function amountIn(bytes: Uint8Array): bigint {
  const digits = digitsOf(utf8.decode(bytes), 'amount')
  const amount = digits === null ? null : readInt64(digits)
  if (amount === null) throw invalid('body/amount: Expected an integer within ±(2^63−1)')
  if (amount === 0n) throw invalid('body/amount: Expected an integer other than 0')
  return amount
}

function keyOf({ idempotencyKey, referenceId }: Omit<Static<typeof TransactionBody>, 'amount'>): string {
  const key = (idempotencyKey ?? referenceId)?.trim()
  if (key === undefined) throw invalid('body/idempotencyKey: Expected required property')
  if (referenceId !== undefined && referenceId.trim() !== key)
    throw invalid('body/referenceId: Expected the same text as idempotencyKey')
  if (key.length < 1 || key.length > MAX_KEY_LENGTH)
    throw invalid(`body/idempotencyKey: Expected 1 to ${MAX_KEY_LENGTH} characters after trimming`)
  return key
}

export const toTransactionView = ({ code, balance, transactionId, replayed }: PostedTransaction) => ({
  code,
  balance: toJsonInteger(balance),
  transactionId,
  replayed,
})
