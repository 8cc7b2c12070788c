import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { $ } from 'bun'
import type { Dialect } from './base/db/tables'
import { clickhouseColumns, createStatement, MIRRORED, mirrorTables, tableNameOf } from './insight/clickhouse/mirror'

const ROOT = join(import.meta.dir, '..')
/** Inside the repository, so that the generator finds its packages. */
const SCRATCH = join(ROOT, 'node_modules', '.cache', 'svc')
const GENERATOR = join(ROOT, 'node_modules', '.bin', 'drizzle-kit')

interface Generation {
  /** Folders whose files define tables. */
  roots: readonly string[]
  /** The folder with one folder for each dialect. It holds the existing migrations and the schema that they create. */
  out: string
  /** Arguments for the generator: `--name what_changed`. */
  args: readonly string[]
  isQuiet?: boolean
}

/** Writes the next migration of both dialects when the tables differ from the schema that the migrations create. */
export async function generateMigrations(generation: Generation): Promise<void> {
  const files = generation.roots.flatMap(definitionFiles)
  for (const dialect of ['sqlite', 'postgres'] as const) await generate(dialect, files, generation)
}

/** The files of a folder that define tables with the column kit. */
const definitionFiles = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|[/-])tables\.ts$/.test(file) && DEFINITION.test(readFileSync(join(root, file), 'utf8')))
    .sort()
    .map((file) => join(root, file))

const DEFINITION = /^export const \w+Tables = \(k: Kit\)/m

async function generate(dialect: Dialect, files: readonly string[], { out, args, isQuiet = false }: Generation) {
  const name = dialect === 'postgres' ? 'postgresql' : dialect
  const schema = join(SCRATCH, `schema.${process.pid}.${dialect}.ts`)
  mkdirSync(SCRATCH, { recursive: true })
  writeFileSync(schema, schemaModule(dialect, files))
  try {
    const folder = relative(ROOT, join(out, dialect))
    await $`${GENERATOR} generate --dialect ${name} --casing snake_case --schema ${schema} --out ${folder} ${args}`
      .cwd(ROOT)
      .quiet(isQuiet)
  } finally {
    rmSync(schema, { force: true })
  }
}

/** The text of a module that exports every table of a dialect. The generator reads this module. */
function schemaModule(dialect: Dialect, files: readonly string[]): string {
  const lines = files.map((file, at) => `import * as m${at} from '${file.replace(/\.ts$/, '')}'`)
  return `${lines.join('\n')}
import { ${dialect}Kit as kit } from '${join(ROOT, 'src', 'base', 'db', 'kit')}'
const modules: Record<string, unknown>[] = [${files.map((_, at) => `m${at}`).join(', ')}]
const define = modules.flatMap((one) => Object.entries(one).filter(([name]) => name.endsWith('Tables')).map(([, make]) => make))
module.exports = Object.assign({}, ...define.map((make) => (make as (k: unknown) => object)(kit)))
`
}

/**
 * Writes the next migration of ClickHouse when the tables that are copied there differ from what its migrations create.
 * `schema.json` says what that is.
 */
export function generateClickhouse(out: string, name: string): void {
  const tables = mirrorTables()
  const wanted = Object.fromEntries(
    MIRRORED.map((one) => [tableNameOf(tables, one), clickhouseColumns(tables, one)] as const),
  )
  const file = join(out, 'schema.json')
  const known: Record<string, Record<string, string>> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const statements = MIRRORED.flatMap((one) => {
    const table = tableNameOf(tables, one)
    return known[table] ? changesOf(table, known[table], wanted[table] ?? {}) : createStatement(tables, one)
  })
  if (statements.length === 0) return
  mkdirSync(out, { recursive: true })
  const number = readdirSync(out).filter((entry) => entry.endsWith('.sql')).length
  const tag = `${String(number).padStart(4, '0')}_${name}.sql`
  writeFileSync(join(out, tag), `${statements.join('\n--> statement-breakpoint\n')}\n`)
  writeFileSync(file, `${JSON.stringify(wanted, null, 2)}\n`)
}

function changesOf(table: string, known: Record<string, string>, wanted: Record<string, string>): string[] {
  const set = Object.entries(wanted).filter(([column, type]) => known[column] !== type)
  const gone = Object.keys(known).filter((column) => !(column in wanted))
  const verb = (column: string) => (column in known ? 'MODIFY COLUMN' : 'ADD COLUMN IF NOT EXISTS')
  return [
    ...set.map(([column, type]) => `ALTER TABLE "${table}" ${verb(column)} "${column}" ${type};`),
    ...gone.map((column) => `ALTER TABLE "${table}" DROP COLUMN IF EXISTS "${column}";`),
  ]
}

/** `bun run generate -- --name what_changed`; needs no database. */
if (import.meta.main) {
  const args = process.argv.slice(2)
  await generateMigrations({ roots: [join(ROOT, 'src')], out: join(ROOT, 'migrations'), args })
  generateClickhouse(join(ROOT, 'migrations', 'clickhouse'), args[args.indexOf('--name') + 1] ?? 'tables')
}
