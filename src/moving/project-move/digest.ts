import type { Page, RawValue } from '../../base/db/dump'
import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import { parseExact } from '../../base/lib/int64'
import { type NumberRanges, type Renumber, renumbering } from './numbers'
import { type TablePlan, withoutTrust } from './plan'

const MODULUS = 2n ** 256n

/**
 * The SHA-256 of a project's content, equal for equal content whatever the database and the order of its rows: of each
 * table its name, the number of its rows, and the sum of their hashes. The hash of a row covers its columns in one
 * spelling, without the rights that hold on one server only. Serial numbers count from the last one of the project; of an encrypted value only whether there is one.
 */
export class ContentDigest {
  private readonly sums = new Map<string, bigint>()
  private readonly spellings = new Map<string, Spelling>()
  private readonly plans: ReadonlyMap<string, TablePlan>
  readonly counts: Record<string, number> = {}

  constructor(plans: readonly TablePlan[], ranges: NumberRanges) {
    this.plans = new Map(plans.map((plan) => [plan.table, plan]))
    for (const plan of plans) this.spellings.set(plan.table, spellingOf(plan, ranges))
  }

  take(table: string, page: Page): void {
    const [spelling, plan] = [this.spellings.get(table), this.plans.get(table)]
    if (!spelling || !plan) throw new Error(`${table} is no table of a project`)
    const { columns, rows } = withoutTrust(plan, page)
    const writers = columns.map((column) => [column, spelling(column)] as const)
    let sum = this.sums.get(table) ?? 0n
    for (const row of rows) {
      const members: Record<string, unknown> = {}
      for (let index = 0; index < writers.length; index++) {
        const [column, spell] = writers[index] ?? ['', null]
        if (spell !== null) members[column] = spell(row[index] ?? null)
      }
      sum += BigInt(`0x${sha256Hex(canonicalJson(members))}`)
    }
    this.sums.set(table, sum % MODULUS)
    this.counts[table] = (this.counts[table] ?? 0) + rows.length
  }

  end(): string {
    const lines = Object.keys(this.counts).toSorted()
    const texts = lines.map((table) => `${table} ${this.counts[table]} ${this.sums.get(table)?.toString(16)}\n`)
    return sha256Hex(texts.join(''))
  }
}

/** How the values of a column are written; null = they are not. */
type Spelling = (column: string) => ((value: RawValue) => unknown) | null

function spellingOf(plan: TablePlan, ranges: NumberRanges): Spelling {
  const { version, sealed = {} } = plan.rows
  const numbers: Map<string, Renumber> = renumbering(plan, ranges, {})
  return (column) => {
    if (column === version) return null
    if (column in sealed) return (value) => value !== null
    if (plan.json.has(column)) return (value) => (typeof value === 'string' ? parseExact(value) : value)
    return numbers.get(column) ?? ((value) => value)
  }
}
