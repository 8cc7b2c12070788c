import type { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { VERSION } from '../../../base/version'
import type { Cell, Column, ColumnType, ExportRow } from '../model'
import { NO_BYTES, type RowEncoder } from './row-encoder'

/** A row group is written when it has this many rows, or about this many bytes. A larger one would keep the server from answering. */
const GROUP_ROWS = 5000
const GROUP_BYTES = 8 * 1024 * 1024

/**
 * Apache Parquet. Integers are 64 bits, times are timestamps in milliseconds UTC, JSON is its text; every column may be
 * null.
 */
export async function parquetEncoder(columns: readonly Column[]): Promise<RowEncoder> {
  const library = await import('hyparquet-writer')
  const bytes = new library.ByteWriter()
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(toElement)]
  const writer = new library.ParquetWriter({ writer: bytes, schema, createdBy: `svc version ${VERSION}` })
  return new ParquetRows(columns, bytes, writer)
}

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']

const ELEMENTS: Readonly<Record<ColumnType, Pick<Schema[number], 'type' | 'converted_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  int64: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

const toElement = ({ name, type }: Column): Schema[number] => ({ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] })

class ParquetRows implements RowEncoder {
  private group: unknown[][]
  private rows = 0
  private size = 0

  constructor(
    private readonly columns: readonly Column[],
    private readonly bytes: ByteWriter,
    private readonly writer: ParquetWriter,
  ) {
    this.group = columns.map(() => [])
  }

  push(rows: readonly ExportRow[]): Uint8Array {
    const ready: Uint8Array[] = []
    for (const row of rows) {
      this.add(row)
      if (this.rows >= GROUP_ROWS || this.size >= GROUP_BYTES) ready.push(this.writeGroup())
    }
    return ready.length === 1 && ready[0] ? ready[0] : Buffer.concat(ready)
  }

  end(): Uint8Array {
    if (this.rows > 0) this.writeColumns()
    this.writer.finish()
    return this.take()
  }

  private add(row: ExportRow): void {
    for (const [index, { type }] of this.columns.entries()) {
      const value = toParquet(row[index] ?? null, type)
      this.group[index]?.push(value)
      this.size += typeof value === 'string' ? value.length + 4 : 8
    }
    this.rows++
  }

  private writeGroup(): Uint8Array {
    this.writeColumns()
    return this.take()
  }

  private writeColumns(): void {
    const columnData = this.columns.map(({ name }, index) => ({ name, data: this.group[index] ?? [] }))
    this.writer.write({ columnData, rowGroupSize: this.rows })
    this.group = this.columns.map(() => [])
    this.rows = 0
    this.size = 0
  }

  /** The bytes so far; the writer continues counting its offset in the whole file. */
  private take(): Uint8Array {
    const taken = this.bytes.index === 0 ? NO_BYTES : this.bytes.getBytes().slice()
    this.bytes.index = 0
    return taken
  }
}

function toParquet(cell: Cell, type: ColumnType): unknown {
  if (cell === null) return null
  if (type === 'text' || type === 'boolean') return cell
  if (type === 'json') return JSON.stringify(cell)
  return BigInt(cell as number | bigint) // The columns of the other types hold nothing else.
}
