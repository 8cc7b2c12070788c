import Database from 'libsql'
import { mayChange } from './change-listener'

export type Row = unknown[]

interface Prepared {
  statement: ReturnType<Database.Database['prepare']>
  isReader: boolean
  /** The last parameter is the maximal number of rows. */
  isLimited: boolean
  isChange: boolean
  /**
   * The statement has been run for all its rows before. libSQL then leaves it at its end, where a read of a single row
   * would find nothing, so it is never read in that way again.
   */
  isReadWhole: boolean
}

/**
 * What drizzle passes to the client and expects from it: the part of the contract of @libsql/client that drizzle uses.
 */
interface Statement {
  sql: string
  args: unknown[]
}

interface Result {
  rows: Row[]
}

const MAX_PREPARED = 400

/**
 * One connection to a local file. Each statement is prepared once, because preparing is most of the time of a small
 * query. All calls below it are synchronous, so two queries never use the connection at the same time.
 */
export class Connection {
  private readonly database: Database.Database
  private readonly prepared = new Map<string, Prepared>()
  /** Rows that the last statement without a result has changed. */
  changed = 0
  /** How many statements may have changed rows. */
  changes = 0

  /** `onChange` is called before each statement that may change rows. */
  constructor(
    path: string,
    busyTimeoutMs: number,
    private readonly onChange: (sql: string, args: readonly unknown[]) => void = () => {},
  ) {
    // The published types are those of better-sqlite3, which lack this option.
    this.database = new Database(path, { timeout: busyTimeoutMs } as Database.Options)
  }

  async execute({ sql, args }: Statement): Promise<Result> {
    return { rows: this.run(sql, args) }
  }

  /** Runs a statement and returns its rows. `isOne`: there is at most one. */
  run(sql: string, args: unknown[], isOne = false): Row[] {
    const prepared = this.prepare(sql)
    if (prepared.isChange) {
      this.changes++
      this.onChange(sql, args)
    }
    if (prepared.isReader) return read(prepared, args, isOne)
    this.changed = prepared.statement.run(args).changes
    return []
  }

  /** Runs a statement that changes the file and no row, so that no other part must be notified. */
  quietly(sql: string, args: unknown[]): void {
    this.prepare(sql).statement.run(args)
  }

  /** Runs a statement without parameters or rows that is used often: transaction control. */
  command(sql: string): void {
    this.prepare(sql).statement.run([])
  }

  /** Runs statements without parameters or rows that are used once: pragmas, migrations. */
  exec(sql: string): void {
    if (mayChange(sql)) {
      this.changes++
      this.onChange(sql, [])
    }
    this.database.exec(sql)
  }

  /** The numeric value of a pragma. */
  pragma(name: string): number {
    return Number((this.prepare(`PRAGMA ${name}`).statement.get([]) as Row)[0])
  }

  close(): void {
    this.prepared.clear()
    this.database.close()
  }

  private prepare(sql: string): Prepared {
    const known = this.prepared.get(sql)
    if (known) return known
    const statement = this.database.prepare(sql)
    const isReader = statement.reader
    if (isReader) statement.raw(true)
    if (this.prepared.size >= MAX_PREPARED) this.forgetOldest()
    const made = {
      statement,
      isReader,
      isLimited: / limit \?$/.test(sql),
      isChange: mayChange(sql),
      isReadWhole: false,
    }
    this.prepared.set(sql, made)
    return made
  }

  private forgetOldest(): void {
    const oldest = this.prepared.keys().next()
    if (!oldest.done) this.prepared.delete(oldest.value)
  }
}

function read(prepared: Prepared, args: unknown[], isOne: boolean): Row[] {
  const { statement, isLimited, isReadWhole } = prepared
  if (!isReadWhole && (isOne || (isLimited && args.at(-1) === 1))) return readOne(statement, args)
  prepared.isReadWhole = true
  return statement.all(args) as Row[]
}

/** Reading a single row without an iterator takes half the time. */
function readOne(statement: Prepared['statement'], args: unknown[]): Row[] {
  const row = statement.get(args) as Row | undefined
  return row === undefined ? [] : [row]
}
