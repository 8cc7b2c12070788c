import { type BookedGrant, type GrantPlan, planGrants } from './grant-plan'
import { type CurrencyGrant, currencyGrants, type GrantSource, triggersOf } from './grants'
import { scopedId } from './line-scope'
import type { TransactionLine } from './model'

/** Every reference under which a line of a purchase can have been booked. */
export const possibleReferences = ({ purchaseId, chargeScope, lines }: Omit<GrantSource, 'rowsOf'>): string[] => [
  ...new Set([`purchase:${purchaseId}`, ...lines.flatMap(namesOf).flatMap((id) => referencesOf(id, chargeScope))]),
]

const namesOf = ({ storeTransactionId, aliases = [] }: TransactionLine): string[] => [storeTransactionId, ...aliases]

function referencesOf(transactionId: string, chargeScope: string): string[] {
  const name = scopedId(transactionId, chargeScope)
  return [`renewal:${name}`, `txn:${name}`]
}

/**
 * Like `planGrants`, by the lines that were known before; of a charge with copies under the id of its grant. `isDue`: the
 * grant of a line of before that nothing was booked for, because it had no product then. What `doubledBookings` names
 * stays as it is.
 */
export function planBooked(
  source: GrantSource,
  linesBefore: readonly TransactionLine[],
  booked: readonly BookedGrant[],
  isDue: (grant: CurrencyGrant) => boolean = () => false,
): GrantPlan {
  const doubled = new Set(doubledBookings(source, booked))
  const counted = booked.filter((one) => !doubled.has(one))
  const rename = bookedNames(source, counted)
  const known = linesBefore.map(rename)
  const before = currencyGrants({ ...source, lines: known }).filter((grant) => !isDue(grant))
  return planGrants({ ...source, lines: source.lines.map(rename) }, before, counted, known)
}

/**
 * The grants that copies of a charge have given besides its first one, while they were not known as copies, and that
 * nothing has taken back. The grant under the reference that the charge has today is the first, else that of the lowest
 * id.
 */
export function doubledBookings(source: Omit<GrantSource, 'rowsOf'>, booked: readonly BookedGrant[]): BookedGrant[] {
  const { chargeScope } = source
  const copied = triggersOf(source).filter(({ line }) => line.aliases)
  return copied.flatMap(({ line, reference }) => {
    const names = [
      ...new Set([
        reference,
        ...namesOf(line)
          .sort()
          .flatMap((id) => referencesOf(id, chargeScope)),
      ]),
    ]
    const standing = names.flatMap((name) => booked.filter((one) => one.reference === name && one.taken === null))
    return [...Map.groupBy(standing, ({ currencyId }) => currencyId).values()].flatMap(([, ...others]) => others)
  })
}

/**
 * Gives the line of a charge with copies the id under which its grant was booked. Another copy may have come first then,
 * and one charge grants once.
 */
function bookedNames(
  { lines, chargeScope }: Pick<GrantSource, 'lines' | 'chargeScope'>,
  booked: readonly Pick<BookedGrant, 'reference' | 'taken'>[],
): (line: TransactionLine) => TransactionLine {
  const bookedAs = new Map<string, string>()
  for (const line of lines) {
    if (!line.aliases) continue
    const names = namesOf(line)
    const isBooked = (id: string, some: typeof booked) =>
      some.some(({ reference }) => referencesOf(id, chargeScope).includes(reference))
    const standing = booked.filter(({ taken }) => taken === null)
    const name = names.find((id) => isBooked(id, standing)) ?? names.find((id) => isBooked(id, booked))
    for (const id of names) bookedAs.set(id, name ?? line.storeTransactionId)
  }
  if (bookedAs.size === 0) return (line) => line
  return (line) => ({ ...line, storeTransactionId: bookedAs.get(line.storeTransactionId) ?? line.storeTransactionId })
}
