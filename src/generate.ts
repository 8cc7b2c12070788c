import { $ } from 'bun'

/** Writes the next migration of both dialects: `bun run generate -- --name what_changed`. Needs no database. */
const args = process.argv.slice(2)
for (const dialect of ['sqlite', 'postgres']) {
  const name = dialect === 'postgres' ? 'postgresql' : dialect
  await $`drizzle-kit generate --dialect ${name} --casing snake_case --schema src/schema.${dialect}.ts --out migrations/${dialect} ${args}`
}
