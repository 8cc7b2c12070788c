import { partToTake } from '../currencies/ledger'
import { type BookedGrant, type GrantPlan, nthReference } from './grant-plan'

export type Clawback = 'none' | 'available' | 'full'

/** A ledger that is changed by plans alone, in the way of `grant-booking`. One owner has all currencies. */
export class Ledger {
  readonly balances = new Map<string, bigint>()
  /** The amounts of the entries, in order. */
  readonly entries: { currencyId: string; amount: bigint }[] = []
  #booked: BookedGrant[] = []
  readonly #parts = new Map<string, bigint>()

  constructor(private readonly mode: Clawback = 'full') {}

  /** The booked grants, only of these references if they are given. */
  booked(references?: readonly string[]): BookedGrant[] {
    return this.#booked.filter(({ reference }) => references?.includes(reference) ?? true)
  }

  spend(currencyId: string, amount: bigint): void {
    this.balances.set(currencyId, (this.balances.get(currencyId) ?? 0n) - amount)
  }

  carryOut({ lessened, wrong, due, refunded, parts }: GrantPlan): void {
    for (const part of lessened) this.#settle(part)
    for (const name of wrong) this.#takeBack(name, 'full', true)
    for (const grant of due) this.#book({ ...grant, taken: null })
    for (const name of refunded) this.#takeBack(name, this.mode)
    for (const part of parts) this.#settle(part)
  }

  #settle(part: GrantPlan['parts'][number]): void {
    if (this.mode === 'none') return
    const name = `${part.reference}@${part.refund} ${part.currencyId}`
    const taken = this.#parts.get(name) ?? null
    const wanted = partToTake(taken, part)
    if (wanted === 0n) return
    const balance = this.balances.get(part.currencyId) ?? 0n
    const held = balance > 0n ? balance : 0n
    const moved = this.mode === 'full' || wanted < held ? wanted : held
    this.#enter(part.currencyId, -moved)
    this.#parts.set(name, (taken ?? 0n) + moved)
  }

  #book(grant: BookedGrant): void {
    const isSame = ({ reference, currencyId }: BookedGrant) =>
      reference === grant.reference && currencyId === grant.currencyId
    this.#booked = [...this.#booked.filter((other) => !isSame(other)), grant]
    this.#enter(grant.currencyId, grant.amount)
  }

  #takeBack(name: string, mode: Clawback, isCorrected = false): void {
    if (mode === 'none') return
    for (const grant of this.#booked) {
      if (nthReference(grant.reference, grant.number) !== name || grant.taken !== null) continue
      const balance = this.balances.get(grant.currencyId) ?? 0n
      const held = balance > 0n ? balance : 0n
      grant.taken = mode === 'full' || grant.amount < held ? grant.amount : held
      grant.isCorrected = isCorrected
      this.#enter(grant.currencyId, -grant.taken)
    }
  }

  #enter(currencyId: string, amount: bigint): void {
    this.entries.push({ currencyId, amount })
    this.balances.set(currencyId, (this.balances.get(currencyId) ?? 0n) + amount)
  }
}
