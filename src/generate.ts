import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { $ } from 'bun'
import type { Dialect } from './base/db/tables'

const ROOT = join(import.meta.dir, '..')
/** Within the tree, so that the generator finds its packages. */
const SCRATCH = join(ROOT, 'node_modules', '.cache', 'svc')

/** Every file of `src` that defines tables with the column kit. */
const definitionFiles = (): string[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => /(^|[/-])tables\.ts$/.test(file) && DEFINITION.test(readFileSync(join(ROOT, 'src', file), 'utf8')),
    )
    .sort()

const DEFINITION = /^export const \w+Tables = \(k: Kit\)/m

/** A module that exports every table of a dialect, which is what the generator reads. */
function schemaModule(dialect: Dialect): string {
  const files = definitionFiles()
  const lines = files.map((file, at) => `import * as m${at} from '${join(ROOT, 'src', file.replace(/\.ts$/, ''))}'`)
  return `${lines.join('\n')}
import { ${dialect}Kit as kit } from '${join(ROOT, 'src', 'base', 'db', 'kit')}'
const modules: Record<string, unknown>[] = [${files.map((_, at) => `m${at}`).join(', ')}]
const define = modules.flatMap((one) => Object.entries(one).filter(([name]) => name.endsWith('Tables')).map(([, make]) => make))
module.exports = Object.assign({}, ...define.map((make) => (make as (k: unknown) => object)(kit)))
`
}

async function generate(dialect: Dialect, args: readonly string[]): Promise<void> {
  const name = dialect === 'postgres' ? 'postgresql' : dialect
  const schema = join(SCRATCH, `schema.${dialect}.ts`)
  mkdirSync(SCRATCH, { recursive: true })
  writeFileSync(schema, schemaModule(dialect))
  try {
    await $`drizzle-kit generate --dialect ${name} --casing snake_case --schema ${schema} --out migrations/${dialect} ${args}`.cwd(
      ROOT,
    )
  } finally {
    rmSync(schema, { force: true })
  }
}

/** Writes the next migration of both dialects: `bun run generate -- --name what_changed`. Needs no database. */
for (const dialect of ['sqlite', 'postgres'] as const) await generate(dialect, process.argv.slice(2))
