import type { Node, SelectStmt } from 'libpg-query'
import wasmFile from 'libpg-query/wasm/libpg-query.wasm' with { type: 'file' }
import { Rejection } from './rejection'

/** The part of the compiled parser that is used. Addresses are those of its memory. */
interface ParserModule {
  _malloc(bytes: number): number
  _wasm_parse_query_raw(text: number): number
  lengthBytesUTF8(text: string): number
  stringToUTF8(text: string, address: number, bytes: number): void
  UTF8ToString(address: number): string
  getValue(address: number, type: 'i32'): number
}

type ParserFactory = (options: {
  instantiateWasm(
    imports: ConstructorParameters<typeof WebAssembly.Instance>[1],
    received: (instance: WebAssembly.Instance) => void,
  ): void
  printErr(): void
}) => Promise<ParserModule>

/** The parser of PostgreSQL itself. The published entry point would look for its file beside the program. */
export async function loadParser(): Promise<(sql: string) => SelectStmt> {
  // @ts-expect-error The package has types for its entry point only.
  const loaded = (await import('libpg-query/wasm/libpg-query.js')) as { default: ParserFactory }
  const compiled = await WebAssembly.compile(await readFile())
  const parser = await loaded.default({
    instantiateWasm: (imports, received) => received(new WebAssembly.Instance(compiled, imports)),
    printErr: () => {},
  })
  return (sql) => toSelect(statementsOf(parser, sql))
}

const GZIP = 0x1f

/** In the executable the file is packed (`build.ts`). */
async function readFile(): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(wasmFile).bytes()
  return bytes[0] === GZIP ? Bun.gunzipSync(bytes) : bytes
}

interface Statement {
  stmt?: Node
  stmt_location?: number
}

function statementsOf(parser: ParserModule, sql: string): Statement[] {
  if (sql.includes('\0')) throw new Rejection('syntax', 'The query contains a NUL character')
  try {
    return (JSON.parse(parse(parser, sql)) as { stmts?: Statement[] }).stmts ?? []
  } catch (error) {
    if (error instanceof Rejection) throw error
    // The parser has a stack of its own, which such a text fills.
    throw new Rejection('syntax', 'The query is nested too deeply')
  }
}

/** The answer of the parser has the addresses of the tree, of what it printed, and of an error. */
function parse(parser: ParserModule, sql: string): string {
  const bytes = parser.lengthBytesUTF8(sql) + 1
  const text = parser._malloc(bytes)
  parser.stringToUTF8(sql, text, bytes)
  const answer = parser._wasm_parse_query_raw(text)
  const error = parser.getValue(answer + 8, 'i32')
  if (error === 0) return parser.UTF8ToString(parser.getValue(answer, 'i32'))
  const message = parser.UTF8ToString(parser.getValue(error, 'i32'))
  const position = parser.getValue(error + 16, 'i32') // In characters, from 1.
  const location = position > 0 ? Buffer.byteLength([...sql].slice(0, position - 1).join('')) : undefined
  throw new Rejection('syntax', message, location)
}

function toSelect(statements: readonly Statement[]): SelectStmt {
  const [only, second] = statements
  if (!only?.stmt) throw new Rejection('syntax', 'The query is empty')
  if (second) throw new Rejection('multiple_statements', 'One statement is expected', second.stmt_location)
  if ('SelectStmt' in only.stmt) return only.stmt.SelectStmt
  throw new Rejection('not_select', 'The query must be one SELECT', only.stmt_location)
}
