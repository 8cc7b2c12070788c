import { type BookedGrant, type GrantPlan, nthReference } from './grant-plan'

export type Clawback = 'none' | 'available' | 'full'

/** A ledger that is changed by plans alone, in the way of `grant-booking`. One owner has all currencies. */
export class Ledger {
  readonly balances = new Map<string, bigint>()
  /** The amounts of the entries, in order. */
  readonly entries: { currencyId: string; amount: bigint }[] = []
  #booked: BookedGrant[] = []
  readonly #parts = new Map<string, { taken: bigint; isReturned: boolean }>()

  constructor(private readonly mode: Clawback = 'full') {}

  /** The booked grants, only of these references if they are given. */
  booked(references?: readonly string[]): BookedGrant[] {
    return this.#booked.filter(({ reference }) => references?.includes(reference) ?? true)
  }

  spend(currencyId: string, amount: bigint): void {
    this.balances.set(currencyId, (this.balances.get(currencyId) ?? 0n) - amount)
  }

  carryOut({ wrong, due, refunded, parts }: GrantPlan): void {
    for (const name of wrong) this.#takeBack(name, 'full')
    for (const grant of due) this.#book({ ...grant, taken: null })
    for (const name of refunded) this.#takeBack(name, this.mode)
    for (const part of parts) this.#takePart(part)
  }

  #takePart({ reference, currencyId, amount, refund, isReversed }: GrantPlan['parts'][number]): void {
    if (this.mode === 'none') return
    const name = `${reference}@${refund} ${currencyId}`
    const known = this.#parts.get(name)
    const balance = this.balances.get(currencyId) ?? 0n
    const held = balance > 0n ? balance : 0n
    const taken = known?.taken ?? (this.mode === 'full' || amount < held ? amount : held)
    if (!known) this.#enter(currencyId, -taken)
    if (isReversed && !known?.isReturned) this.#enter(currencyId, taken)
    this.#parts.set(name, { taken, isReturned: isReversed || known?.isReturned === true })
  }

  #book(grant: BookedGrant): void {
    const isSame = ({ reference, currencyId }: BookedGrant) =>
      reference === grant.reference && currencyId === grant.currencyId
    this.#booked = [...this.#booked.filter((other) => !isSame(other)), grant]
    this.#enter(grant.currencyId, grant.amount)
  }

  #takeBack(name: string, mode: Clawback): void {
    if (mode === 'none') return
    for (const grant of this.#booked) {
      if (nthReference(grant.reference, grant.number) !== name || grant.taken !== null) continue
      const balance = this.balances.get(grant.currencyId) ?? 0n
      const held = balance > 0n ? balance : 0n
      grant.taken = mode === 'full' || grant.amount < held ? grant.amount : held
      this.#enter(grant.currencyId, -grant.taken)
    }
  }

  #enter(currencyId: string, amount: bigint): void {
    this.entries.push({ currencyId, amount })
    this.balances.set(currencyId, (this.balances.get(currencyId) ?? 0n) + amount)
  }
}
