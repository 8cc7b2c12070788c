import {
  DumpError,
  type Page,
  parseRow,
  quoteName,
  type RawValue,
  type Row,
  type TableReader,
  type TableWriter,
} from '../../base/db/dump'
import { totalOf } from './export'
import { isRowLine, type ProjectFileHeader } from './file'
import { refuseForeignReferences, refuseStrayRows } from './foreign-rows'
import { type NumberRanges, type Renumber, renumbering } from './numbers'
import { refuseStrangeRows } from './own-rows'
import { type TablePlan, withoutTrust } from './plan'
import { type Reseal, resealPage } from './secrets'

const BATCH_ROWS = 500
const BATCH_CHARACTERS = 2_000_000

interface Parts {
  writer: TableWriter
  reader: TableReader
  /** The tables whose rows are moved. */
  plans: readonly TablePlan[]
  /** Every table with rows of projects. */
  all: readonly TablePlan[]
  header: ProjectFileHeader
  /** The serial numbers that the rows get here. */
  ranges: NumberRanges
  reseal: Reseal
}

/**
 * Inserts the rows of a file in batches, changed to what they are in this database. Throws a `DumpError` for a row that
 * does not belong to the project of the file, or names something of another project.
 */
export class RowLoader {
  private readonly plans: ReadonlyMap<string, Loading>
  private readonly total: number
  /** By table, how many rows the file held. */
  readonly counts: Record<string, number> = {}
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
    await this.store(loading, toPage(first, this.waiting)).catch((error) => explain(first.table, error))
    this.counts[first.table] = (this.counts[first.table] ?? 0) + this.waiting.length
    this.done += this.waiting.length
    this.waiting = []
    this.characters = 0
    this.onRows(this.done, this.total)
  }

  private async store(loading: Loading, given: Page): Promise<void> {
    const { parts } = this
    const { plan } = loading
    refuseStrangeRows(plan, given, parts.header)
    const page = changed(loading, parts, given)
    const asked = { reader: parts.reader, plans: parts.all, projectId: parts.header.project.id }
    await refuseForeignReferences(asked, plan, page)
    const rows = plan.rows.isAppendOnly ? await this.absentOf(plan.table, page) : page.rows
    await parts.writer.insert(plan.table, { columns: page.columns, rows })
    await refuseStrayRows(asked, plan, page)
  }

  /** The rows of a page that are not in the database. */
  private async absentOf(table: string, { columns, rows }: Page): Promise<Page['rows']> {
    const idOf = (row: readonly RawValue[]): string => String(row[columns.indexOf('id')])
    const ids = rows.map((row) => `'${idOf(row).replaceAll("'", "''")}'`).join(', ')
    const found = await this.parts.reader.rows(`select id from ${quoteName(table)} where id in (${ids})`)
    const known = new Set(found.map(([id]) => String(id)))
    return rows.filter((row) => !known.has(idOf(row)))
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
    : page.rows.map((row) =>
        row.map((value, index): RawValue => changes[index]?.(value) ?? (changes[index] ? null : value)),
      )
  return resealPage(plan, withoutTrust(plan, { columns: page.columns, rows }), reseal)
}

function toPage(first: Row, rows: readonly Row[]): Page {
  const columns = Object.keys(first.record)
  return { columns, rows: rows.map(({ record }) => columns.map((column): RawValue => record[column] ?? null)) }
}

function explain(table: string, error: unknown): never {
  if (error instanceof DumpError) throw error
  const reason = error instanceof Error ? error.message : String(error)
  throw new DumpError(`a row of the table ${table} cannot be stored (${reason})`, { cause: error })
}
