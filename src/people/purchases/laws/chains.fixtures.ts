import { canonicalJson } from '../../../base/lib/hash'
import { planChain, type RecordedLine, type ReportedChain } from '../../../intake/recording/chain-plan'
import { linesOf } from '../../../intake/recording/line-change'
import { lineKeysOf } from '../../../intake/recording/purchase-row'
import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import type { Observation, ProductType, Store } from '../../../stores/observation'
import { foldObservations } from '../fold'
import { planBooked, possibleReferences } from '../grant-references'
import { Ledger } from '../ledger.fixtures'
import type { TransactionLine } from '../model'
import { effectiveEnd, statusAt } from '../status'
import { accessesOf, type HeldLine, sourceOf } from './held-line.fixtures'
import { mrrOf } from './revenue.fixtures'

export type { HeldLine }

/** What a store reports about all lines of one purchase, as it is fetched. */
export interface ChainWord extends ReportedChain {
  store: Store
  chainKey: string
}

/**
 * The purchases of one owner in memory, each with its lines, recorded word by word. The steps are those of `recordChain`,
 * with the same pure functions.
 */
export class Chains {
  readonly ledger = new Ledger('full')
  readonly lines: HeldLine[] = []

  constructor(private readonly catalog: CatalogSnapshot) {}

  /** Records what a store reports; returns whether anything changed. */
  record(word: ChainWord): boolean {
    const { store, chainKey } = word
    const held = this.linesOf(store, chainKey)
    const planned = planChain(
      held.map((line): RecordedLine => ({ row: line, known: line.known })),
      word,
    )
    const changes = planned.map((one) => this.#recordLine(word, held.find(({ id }) => id === one.heldId) ?? null, one))
    return changes.includes(true)
  }

  linesOf = (store: Store, chainKey: string): HeldLine[] =>
    this.lines.filter((line) => line.store === store && line.chainKey === chainKey)

  /** Adds observations to each line of a purchase. */
  add(store: Store, chainKey: string, observations: readonly Observation[]): void {
    for (const line of this.linesOf(store, chainKey))
      this.#recordLine(line, line, { lineKey: line.lineKey, productType: line.type, observations })
  }

  /** Adds observations to one line, which is new when nothing is known of it. */
  #recordLine(
    { store, chainKey }: Pick<ChainWord, 'store' | 'chainKey'>,
    held: HeldLine | null,
    told: { lineKey: string; productType: ProductType; observations: readonly Observation[] },
  ): boolean {
    const known = held?.known ?? []
    const fresh = told.observations.filter((one) => !known.some(({ kind, id }) => kind === one.kind && id === one.id))
    if (held && fresh.length === 0) return false
    const all = [...known, ...fresh]
    const { productType: type } = told
    const fold = foldObservations(all, type)
    if (!fold) return false
    const keys = lineKeysOf(told, held)
    const id = held?.id ?? `${chainKey}/${told.lineKey}`
    const { before, after: money } = linesOf(known, all, type)
    const line: HeldLine = { id, store, chainKey, type, known: all, fold, money, ...keys }
    if (held) this.lines[this.lines.indexOf(held)] = line
    else this.lines.push(line)
    this.#grant(line, before)
    return true
  }

  #grant(line: HeldLine, before: readonly TransactionLine[]): void {
    const source = sourceOf(this.catalog, line)
    this.ledger.carryOut(planBooked(source, before, this.ledger.booked(possibleReferences(source))))
  }

  /** The accesses that are active at an instant, in order. */
  accessAt = (now: number): string[] => accessesOf(this.catalog, this.lines, now)

  /** The monthly recurring revenue at an instant, in micros of the one currency that is sold in. */
  mrrAt(now: number, isCounted: (line: HeldLine) => boolean = () => true): number {
    return this.lines.filter(isCounted).reduce((sum, line) => sum + mrrOf(this.catalog, line, now), 0)
  }

  /** Micros of all money lines. */
  money(): number {
    return this.lines.reduce((sum, { money }) => sum + sumOf(money), 0)
  }

  balances(): Record<string, number> {
    const held = [...this.ledger.balances].map(([id, balance]) => [id, Number(balance)] as const)
    return Object.fromEntries(held.filter(([, balance]) => balance !== 0).sort())
  }

  /** All results that must not depend on the order of the words, at the given instants. */
  outcome(instants: readonly number[]): string {
    const lines = this.lines
      .map(({ known: _known, ...line }) => ({
        ...line,
        end: effectiveEnd(line.fold),
        states: instants.map((at) => statusAt(line.fold, at)),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    return canonicalJson({ lines, ...this.verdict(instants) })
  }

  /** The results that must not depend on how much of a life was heard, nor when. */
  verdict(instants: readonly number[]) {
    const access = instants.map((at) => this.accessAt(at))
    return { access, mrr: instants.map((at) => this.mrrAt(at)), balances: this.balances(), money: this.money() }
  }

  /** The money lines of each line, without those of other purchases. */
  moneyLines = (): Record<string, readonly TransactionLine[]> =>
    Object.fromEntries(this.lines.map(({ id, money }) => [id, money]))
}

export const sumOf = (money: readonly TransactionLine[]): number =>
  money.reduce((sum, { price }) => sum + (price?.amountMicros ?? 0), 0)
