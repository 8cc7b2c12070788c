import { type BookedGrant, type GrantPlan, planGrants } from './grant-plan'
import { type CurrencyGrant, currencyGrants, type GrantSource } from './grants'
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
 * grant of a line of before that nothing was booked for, because it had no product then.
 */
export function planBooked(
  source: GrantSource,
  linesBefore: readonly TransactionLine[],
  booked: readonly BookedGrant[],
  isDue: (grant: CurrencyGrant) => boolean = () => false,
): GrantPlan {
  const rename = bookedNames(source, booked)
  const before = currencyGrants({ ...source, lines: linesBefore.map(rename) }).filter((grant) => !isDue(grant))
  return planGrants({ ...source, lines: source.lines.map(rename) }, before, booked)
}

/**
 * Gives the line of a charge with copies the id under which its grant was booked. Another copy may have come first then,
 * and one charge grants once.
 */
function bookedNames(
  { lines, chargeScope }: Pick<GrantSource, 'lines' | 'chargeScope'>,
  booked: readonly { reference: string }[],
): (line: TransactionLine) => TransactionLine {
  const bookedAs = new Map<string, string>()
  for (const line of lines) {
    if (!line.aliases) continue
    const names = namesOf(line)
    const name = names.find((id) => booked.some(({ reference }) => referencesOf(id, chargeScope).includes(reference)))
    for (const id of names) bookedAs.set(id, name ?? line.storeTransactionId)
  }
  if (bookedAs.size === 0) return (line) => line
  return (line) => ({ ...line, storeTransactionId: bookedAs.get(line.storeTransactionId) ?? line.storeTransactionId })
}
