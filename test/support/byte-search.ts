import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Context } from '../../src/base/context'

/**
 * The files of a deployment in which one of the texts occurs, and in which form: as it is, in hex, in UTF-16, or packed
 * into base64 once or twice, at any of the three places that base64 has for a byte.
 */
export async function findTexts(ctx: Context, texts: readonly string[]): Promise<string[]> {
  const forms = texts.flatMap(formsOf)
  const found: string[] = []
  for (const path of await filesOf(ctx)) {
    const bytes = readFileSync(path)
    for (const [name, form] of forms) if (bytes.includes(form)) found.push(`${name} in ${path}`)
  }
  return found
}

const formsOf = (text: string): [name: string, form: Buffer][] => {
  const bytes = Buffer.from(text)
  const once = packed(bytes)
  return [
    [`"${text}"`, bytes],
    [`hex of "${text}"`, Buffer.from(bytes.toString('hex'))],
    [`UTF-16 of "${text}"`, Buffer.from(text, 'utf16le')],
    ...once.map((form): [string, Buffer] => [`base64 of "${text}"`, form]),
    ...once.flatMap(packed).map((form): [string, Buffer] => [`base64 of base64 of "${text}"`, form]),
  ]
}

/** The characters of base64 that depend on these bytes alone; the alphabets differ only in two characters. */
const packed = (bytes: Buffer): Buffer[] =>
  [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const sure = Math.floor((whole.length * 8) / 6)
    const from = Math.ceil((before * 8) / 6)
    return (['base64', 'base64url'] as const).map((form) => Buffer.from(whole.toString(form).slice(from, sure)))
  })

async function filesOf(ctx: Context): Promise<string[]> {
  const own = listFiles(ctx.config.dataDir)
  if (ctx.config.database.kind !== 'postgres') return own
  await run(ctx, sql`checkpoint`)
  const [row] = await run(
    ctx,
    sql`select current_setting('data_directory') || '/base/' || oid as path from pg_database where datname = current_database()`,
  )
  return [...own, ...listFiles(String(row?.path))]
}

const run = (ctx: Context, statement: ReturnType<typeof sql>) =>
  (ctx.db as unknown as { execute(statement: unknown): Promise<{ path?: unknown }[]> }).execute(statement)

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
