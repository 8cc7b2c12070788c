import Database from 'libsql'
import { mayChange } from './change-listener'

type Row = unknown[]

interface Prepared {
  statement: ReturnType<Database.Database['prepare']>
  isReader: boolean
  /** Its last parameter is how many rows to give at most. */
  isLimited: boolean
  isChange: boolean
}

/** What drizzle hands over and takes back; the part of @libsql/client's contract that it uses. */
interface Statement {
  sql: string
  args: unknown[]
}

interface Result {
  rows: Row[]
}

const MAX_PREPARED = 400

/**
 * One connection to a local file with its statements prepared once: preparing is most of what a small query costs.
 * Every call is synchronous below, so a connection is never used by two queries at once.
 */
export class Connection {
  private readonly database: Database.Database
  private readonly prepared = new Map<string, Prepared>()

  /** `onChange` is called before each statement that may change rows. */
  constructor(
    path: string,
    busyTimeoutMs: number,
    private readonly onChange: (sql: string, args: readonly unknown[]) => void = () => {},
  ) {
    // The published types are those of better-sqlite3 and lack the option.
    this.database = new Database(path, { timeout: busyTimeoutMs } as Database.Options)
  }

  async execute({ sql, args }: Statement): Promise<Result> {
    const { statement, isReader, isLimited, isChange } = this.prepare(sql)
    if (isChange) this.onChange(sql, args)
    if (isReader)
      return { rows: isLimited && args.at(-1) === 1 ? readOne(statement, args) : (statement.all(args) as Row[]) }
    statement.run(args)
    return { rows: [] }
  }

  /** One statement without parameters or rows that comes again and again: transaction control. */
  command(sql: string): void {
    this.prepare(sql).statement.run([])
  }

  /** Statements without parameters or rows that come once: pragmas, migrations. */
  exec(sql: string): void {
    if (mayChange(sql)) this.onChange(sql, [])
    this.database.exec(sql)
  }

  /** The number that a pragma gives. */
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
    const made = { statement, isReader, isLimited: / limit \?$/.test(sql), isChange: mayChange(sql) }
    this.prepared.set(sql, made)
    return made
  }

  private forgetOldest(): void {
    const oldest = this.prepared.keys().next()
    if (!oldest.done) this.prepared.delete(oldest.value)
  }
}

/** A single row costs half as much without an iterator. */
function readOne(statement: Prepared['statement'], args: unknown[]): Row[] {
  const row = statement.get(args) as Row | undefined
  return row === undefined ? [] : [row]
}
