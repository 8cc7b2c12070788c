import { CompactMap } from '../../../base/lib/compact-map'
import { linesOf } from '../../../intake/recording/line-change'
import type { PlannedReport } from '../../../intake/recording/record-many'
import { isReturn } from '../../../people/purchases/lines'
import type { TransactionLine } from '../../../people/purchases/model'
import type { ForecastMoney } from '../model'

/** Adds up the charges and refunds that planned purchases bring, each once. Those of a sandbox are no money. */
export class ForecastedMoney {
  readonly #lines = new CompactMap(0)
  readonly #byCurrency = new Map<string, ForecastMoney>()

  get isPartial(): boolean {
    return this.#lines.isFull
  }

  /** @param purchase names the purchase within the import */
  note(purchase: string, { known, fresh, report, row, isChanged }: PlannedReport): void {
    if (!isChanged || row?.environment !== 'PRODUCTION') return
    const { before, after } = linesOf(known, [...known, ...fresh], report.productType)
    const stored = new Set(before.map(({ key }) => key))
    for (const line of after) {
      if (stored.has(line.key)) continue
      const size = this.#lines.size
      this.#lines.set(`${purchase}\n${line.key}`, [])
      if (this.#lines.size > size) this.#add(line)
    }
  }

  result(): ForecastMoney[] {
    return [...this.#byCurrency.values()].sort((a, b) => b.charged.count - a.charged.count)
  }

  #add({ price, kind }: Pick<TransactionLine, 'price' | 'kind'>): void {
    if (!price || price.amountMicros === 0) return
    const { currency, amountMicros } = price
    const sum = this.#byCurrency.get(currency) ?? { currency, charged: none(), refunded: none() }
    this.#byCurrency.set(currency, sum)
    const side = isReturn({ kind }) ? sum.refunded : sum.charged
    side.count++
    side.amountMicros += Math.abs(amountMicros)
  }
}

const none = () => ({ count: 0, amountMicros: 0 })
