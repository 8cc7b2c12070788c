import {
  type CurrencyGrant,
  clawbackCandidates,
  currencyGrants,
  type GrantSource,
  unjustifiedReferences,
} from './grants'

/** Where the ledger stands for one reference and currency: the last entry that granted, and what was taken back of it. */
export interface BookedGrant {
  reference: string
  currencyId: string
  /** 1 for the first grant; each one booked again after it was taken back counts on. */
  number: number
  amount: number
  /** Null while it stands; 0 when there was nothing left to take. */
  taken: number | null
}

type DueGrant = Pick<BookedGrant, 'reference' | 'currencyId' | 'number' | 'amount'>

/** What to do in the ledger, in this order; names are those of `nthReference`. */
export interface GrantPlan {
  /** To be taken back wholly: what they were granted for has turned out to be something else. */
  wrong: string[]
  due: DueGrant[]
  /** Given back by the store; the project says what becomes of them. */
  refunded: string[]
}

/** The name under which a reference is booked for the n-th time: each name is booked, and taken back, once. */
export const nthReference = (reference: string, number: number): string =>
  number === 1 ? reference : `${reference}:${number}`

/**
 * What brings the ledger from what is booked to what the lines justify, whatever was told first. `before` are the grants
 * of the lines known before this change: they tell late news (another charge is the first one now) from a change of the
 * catalogue, which takes nothing back and pays nothing for charges of the past.
 */
export function planGrants(
  source: GrantSource,
  before: readonly CurrencyGrant[],
  booked: readonly BookedGrant[],
): GrantPlan {
  const wanted = currencyGrants(source)
  const wrong = new Set([
    ...unjustifiedReferences(source, [...new Set(booked.map(({ reference }) => reference))]),
    ...before.filter((grant) => isReplaced(grant, wanted)).map(({ reference }) => reference),
  ])
  const returned = new Set(clawbackCandidates(source).map(({ reference }) => reference))
  const standing = booked.filter(({ taken }) => taken === null)
  const right = standing.filter(({ reference }) => !wrong.has(reference))
  const due = wanted.flatMap((grant) => missing(grant, { before, booked, wrong, returned }))
  return {
    wrong: namesOf(standing.filter(({ reference }) => wrong.has(reference))),
    due,
    refunded: namesOf([...right, ...due].filter(({ reference }) => returned.has(reference))),
  }
}

/** Whether another charge stands behind the reference now, and grants something else or nothing. */
function isReplaced(grant: CurrencyGrant, wanted: readonly CurrencyGrant[]): boolean {
  const now = wanted.find((other) => isSame(other, grant))
  return now === undefined || (now.storeTransactionId !== grant.storeTransactionId && now.amount !== grant.amount)
}

interface Known {
  before: readonly CurrencyGrant[]
  booked: readonly BookedGrant[]
  wrong: ReadonlySet<string>
  returned: ReadonlySet<string>
}

function missing(grant: CurrencyGrant, { before, booked, wrong, returned }: Known): DueGrant[] {
  const { reference, currencyId, amount } = grant
  const last = booked.find((other) => isSame(other, grant))
  const isNew = !before.some((other) => isSame(other, grant))
  if (!last) return isNew ? [{ reference, currencyId, amount, number: 1 }] : []
  if (last.taken === null && !wrong.has(reference)) return []
  const next = { reference, currencyId, number: last.number + 1 }
  if (isNew || last.taken === null) return [{ ...next, amount }]
  // It was taken back for a refund. Of the same grant, what was taken comes back: the rest was spent, and stayed so.
  if (returned.has(reference)) return []
  const due = last.amount === amount ? last.taken : amount
  return due === 0 ? [] : [{ ...next, amount: due }]
}

type Named = Pick<BookedGrant, 'reference' | 'currencyId'>

const isSame = (a: Named, b: Named): boolean => a.reference === b.reference && a.currencyId === b.currencyId

const namesOf = (grants: readonly DueGrant[]): string[] => [
  ...new Set(grants.map(({ reference, number }) => nthReference(reference, number))),
]
