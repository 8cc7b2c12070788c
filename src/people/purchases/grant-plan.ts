import {
  type CurrencyGrant,
  clawbackCandidates,
  currencyGrants,
  type GrantSource,
  type PartReturn,
  partReturns,
  type Trigger,
  triggersOf,
  unjustifiedReferences,
} from './grants'

/** The newest grant in the ledger for one reference and currency, and how much of it was taken back. */
export interface BookedGrant {
  reference: string
  currencyId: string
  /** 1 for the first grant. A grant that is booked again after it was taken back has the next number. */
  number: number
  amount: bigint
  /** Null while the grant is valid; 0 when the balance had nothing left to take. */
  taken: bigint | null
  /** Whether it was taken back because the charge never granted it. The reversal of a refund does not return it. */
  isCorrected?: boolean
}

type DueGrant = Pick<BookedGrant, 'reference' | 'currencyId' | 'number' | 'amount'>

/** What one refund takes back, with its amount by the lines that were known before; 0 = it was not known, or reversed. */
export interface PartChange extends PartReturn {
  before: bigint
}

/** The changes to the ledger, in the order in which they are made. The texts are results of `nthReference`. */
export interface GrantPlan {
  /** Refunds of parts that take less than before or nothing: first, so that the others find what they give back. */
  lessened: PartChange[]
  /** Grants to take back completely: the charge that they were for has turned out to be something else. */
  wrong: string[]
  due: DueGrant[]
  /** Grants whose charge the store refunded. A setting of the project says what happens to them. */
  refunded: string[]
  /** The other refunds of parts. */
  parts: PartChange[]
}

/** The reference for the n-th booking of a grant. Each such reference is booked once and taken back at most once. */
export const nthReference = (reference: string, number: number): string =>
  number === 1 ? reference : `${reference}:${number}`

/**
 * The changes that make the ledger equal to what the lines justify, in whatever order observations arrived. `before`
 * are the grants of the lines that were known before this change. They separate two cases. When late observations make
 * another charge the first one, grants are corrected. When the catalogue changes, nothing is taken back and nothing is
 * granted for past charges. `linesBefore` are those lines.
 */
export function planGrants(
  source: GrantSource,
  before: readonly CurrencyGrant[],
  booked: readonly BookedGrant[],
  linesBefore: GrantSource['lines'] = [],
): GrantPlan {
  const wanted = currencyGrants(source)
  const wrong = new Set([
    ...unjustifiedReferences(source, [...new Set(booked.map(({ reference }) => reference))]),
    ...before.filter((grant) => isReplaced(grant, wanted)).map(({ reference }) => reference),
  ])
  const returned = returnedNames(source)
  const standing = booked.filter(({ taken }) => taken === null)
  const right = standing.filter(({ reference }) => !wrong.has(reference))
  const reversed = returnedNames({ ...source, lines: linesBefore }).difference(returned)
  const isBack = ({ reference, taken, isCorrected }: BookedGrant) =>
    taken !== null && !isCorrected && reversed.has(reference) && !wrong.has(reference)
  const back = booked.filter(isBack)
  const others = wanted.filter((grant) => !back.some((one) => isSame(one, grant)))
  const due = [
    ...back.flatMap(takenAgain),
    ...others.flatMap((grant) => missing(grant, { before, booked, wrong, returned })),
  ]
  const parts = partChanges(
    bookedParts(source, booked).flatMap((part) => namedPart(part, [...right, ...due])),
    bookedParts({ ...source, lines: linesBefore }, booked).flatMap((part) => namedPart(part, booked)),
  )
  return {
    lessened: parts.filter(isLessened),
    wrong: namesOf(standing.filter(({ reference }) => wrong.has(reference))),
    due,
    refunded: namesOf([...right, ...due].filter(({ reference }) => returned.has(reference))),
    parts: parts.filter((part) => !isLessened(part)),
  }
}

const returnedNames = (source: Omit<GrantSource, 'rowsOf'>): Set<string> =>
  new Set(clawbackCandidates(source).map(({ reference }) => reference))

/** A refund was reversed: the amount that it took comes back. The rest of the grant was already spent. */
const takenAgain = ({ reference, currencyId, number, taken }: BookedGrant): DueGrant[] =>
  taken === null || taken === 0n ? [] : [{ reference, currencyId, number: number + 1, amount: taken }]

/** Whether the reference now belongs to another charge, and that charge grants something else or nothing. */
function isReplaced(grant: CurrencyGrant, wanted: readonly CurrencyGrant[]): boolean {
  const now = wanted.find((other) => isSame(other, grant))
  return now === undefined || (now.storeTransactionId !== grant.storeTransactionId && now.amount !== grant.amount)
}

/** What refunds take of what was granted, which is not what the product grants by now. */
function bookedParts(source: GrantSource, booked: readonly BookedGrant[]): PartReturn[] {
  const wanted = currencyGrants(source).map((grant) => {
    const first = booked.find((one) => isSame(one, grant) && one.number === 1)
    return first ? { ...grant, amount: first.amount } : grant
  })
  const others = booked.filter((one) => !wanted.some((grant) => isSame(grant, one)))
  return partReturns(source, [...wanted, ...triggersOf(source).flatMap((charge) => grantedBy(charge, others))])
}

/** What a charge granted and the catalogue does not grant for it any more. */
const grantedBy = ({ line, trigger, reference }: Trigger, booked: readonly BookedGrant[]): CurrencyGrant[] =>
  booked
    .filter((one) => one.reference === reference)
    .map(({ currencyId, amount }) => {
      return { currencyId, amount, reference, trigger, storeTransactionId: line.storeTransactionId }
    })

function namedPart(part: PartReturn, grants: readonly DueGrant[]): PartReturn[] {
  const grant = grants.find((other) => isSame(other, part))
  return grant ? [{ ...part, reference: nthReference(grant.reference, grant.number) }] : []
}

/** The refunds of now, and those of before that are no longer any: a part, when the whole was refunded before it. */
function partChanges(now: readonly PartReturn[], before: readonly PartReturn[]): PartChange[] {
  const isOne = (a: PartReturn) => (b: PartReturn) => isSame(a, b) && a.refund === b.refund
  const gone = before.filter((part) => !now.some(isOne(part)))
  return [
    ...now.map((part) => ({ ...part, before: before.find(isOne(part))?.amount ?? 0n })),
    ...gone.map((part) => ({ ...part, amount: 0n, before: part.amount })),
  ]
}

const isLessened = ({ amount, before }: PartChange): boolean => amount === 0n || amount < before

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
  // After a refund nothing is due.
  if (returned.has(reference)) return []
  const due = last.amount === amount ? last.taken : amount
  return due === 0n ? [] : [{ ...next, amount: due }]
}

type Named = Pick<BookedGrant, 'reference' | 'currencyId'>

const isSame = (a: Named, b: Named): boolean => a.reference === b.reference && a.currencyId === b.currencyId

const namesOf = (grants: readonly DueGrant[]): string[] => [
  ...new Set(grants.map(({ reference, number }) => nthReference(reference, number))),
]
