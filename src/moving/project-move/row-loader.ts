import { DumpError, type Page, parseRow, type RawValue, type Row, type TableWriter } from '../../base/db/dump'
import { isRowLine, type ProjectFileHeader } from './file'
import { totalOf } from './export'
import { type NumberRanges, type Renumber, renumbering } from './numbers'
import type { TablePlan } from './plan'
import { type Reseal, resealPage } from './secrets'

const BATCH_ROWS = 500
const BATCH_CHARACTERS = 2_000_000

interface Parts {
  writer: TableWriter
  plans: readonly TablePlan[]
  header: ProjectFileHeader
  /** The serial numbers that the rows get here. */
  ranges: NumberRanges
  reseal: Reseal
}

/** Inserts the rows of a file in batches, changed to what they are in this database. */
export class RowLoader {
  private readonly plans: ReadonlyMap<string, Loading>
  private readonly total: number
  private waiting: Row[] = []
  private characters = 0
  private done = 0

  constructor(
    private readonly parts: Parts,
    private readonly onRows: (done: number, total: number) => void,
  ) {
    const { plans, header, ranges } = parts
    this.total = totalOf(header)
    this.plans = new Map(
      plans.map((plan) => [plan.table, { plan, numbers: renumbering(plan, header.numbers, ranges) }]),
    )
  }

  async take(block: Buffer): Promise<void> {
    for (const line of block.toString().split('\n')) {
      if (!isRowLine(line)) continue // The header, the digest, and what is behind the last line of the block.
      const row = parseRow(line)
      if (row.table !== this.waiting[0]?.table || this.isFull()) await this.flush()
      this.waiting.push(row)
      this.characters += line.length
    }
  }

  async flush(): Promise<void> {
    const [first] = this.waiting
    if (!first) return
    const loading = this.plans.get(first.table)
    if (!loading) throw new DumpError(`${first.table} is no table of a project`)
    const page = changed(loading, this.parts, toPage(first, this.waiting))
    await this.parts.writer.insert(first.table, page).catch((error) => explain(first.table, error))
    this.done += this.waiting.length
    this.waiting = []
    this.characters = 0
    this.onRows(this.done, this.total)
  }

  private isFull(): boolean {
    return this.waiting.length >= BATCH_ROWS || this.characters >= BATCH_CHARACTERS
  }
}

interface Loading {
  plan: TablePlan
  numbers: ReadonlyMap<string, Renumber>
}

function changed({ plan, numbers }: Loading, { header, reseal }: Parts, page: Page): Page {
  const { version } = plan.rows
  const changes = page.columns.map((column): Renumber | null => {
    if (column === version) return (value) => (value === header.project.configVersion ? 0 : -1)
    return numbers.get(column) ?? null
  })
  const isSame = changes.every((change) => change === null)
  const rows = isSame
    ? page.rows
    : page.rows.map((row) => row.map((value, index): RawValue => changes[index]?.(value) ?? (changes[index] ? null : value)))
  return resealPage(plan, { columns: page.columns, rows }, reseal)
}

function toPage(first: Row, rows: readonly Row[]): Page {
  const columns = Object.keys(first.record)
  return { columns, rows: rows.map(({ record }) => columns.map((column): RawValue => record[column] ?? null)) }
}

function explain(table: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new DumpError(`a row of the table ${table} cannot be stored (${reason})`, { cause: error })
}
