import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { tempFolder } from '../../../test/support/process'
import { Connection } from './connection'
import type { Storage } from './handle'
import { openSqliteFile } from './sqlite-file'
import { makeTables } from './tables'

const temp = tempFolder()
afterAll(() => temp.remove())

let files = 0
const freshPath = () => join(temp.path, `${++files}.db`)
const open = (path: string): Storage => openSqliteFile(path, makeTables('sqlite', []), [])

const SCHEMA = [
  'create table people (id text primary key, name text not null, note text)',
  'create unique index people_name on people (name)',
]

const write = (storage: Storage, statement: ReturnType<typeof sql>) =>
  storage.transaction(async ({ db }) => void (await db.run(statement)))

/** In the database and in its log, after everything else is closed: a file that this process has open must stay so. */
const remainsIn = (path: string, text: string): number => {
  let count = 0
  for (const file of [path, `${path}-wal`].filter(existsSync)) {
    const bytes = readFileSync(file)
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) count++
  }
  return count
}

const check = async (storage: Storage) =>
  JSON.stringify(await storage.db.all(sql`select * from pragma_integrity_check`))

/** A person is written, moved about by others, and deleted or emptied; sizes reach over several pages. */
const step = fc.record({
  person: fc.nat(400),
  length: fc.oneof(fc.nat(300), fc.nat(3000), fc.nat(20_000)),
  kind: fc.constantFrom('put' as const, 'put' as const, 'put' as const, 'delete' as const),
})

const textOf = (person: number, length: number) => `secret${person}-`.padEnd(length + 12, `secret${person}-`)

async function perform(storage: Storage, steps: readonly Step[]) {
  for (let at = 0; at < steps.length; at += 20)
    await storage.transaction(async ({ db }) => {
      for (const one of steps.slice(at, at + 20)) await db.run(statementOf(one))
    })
}

const statementOf = ({ person, length, kind }: Step) =>
  kind === 'delete'
    ? sql`delete from people where id = ${String(person)}`
    : sql`insert into people values (${String(person)}, ${textOf(person, length % 900)}, ${textOf(person, length)})
        on conflict (id) do update set name = excluded.name, note = excluded.note`

interface Step {
  person: number
  length: number
  kind: 'put' | 'delete'
}

const rowsOf = async (storage: Storage): Promise<unknown[][]> =>
  (await storage.db.all<object>(sql`select * from people order by id`)).map((row) => Object.values(row))

describe('after the wiping', () => {
  test('nothing of what was deleted is in the file, and everything else is unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 300 }), fc.boolean(), async (steps, isOld) => {
        const path = freshPath()
        if (isOld) fillAsBefore(path, steps)
        const storage = open(path)
        if (!isOld) await storage.runScript(SCHEMA)
        await perform(storage, steps)
        await write(storage, sql`delete from people where cast(id as integer) % 2 = 1`)
        await write(storage, sql`update people set name = 'kept' || id, note = null where cast(id as integer) % 4 = 0`)
        const before = await rowsOf(storage)
        await storage.removeRemains([])
        expect(await rowsOf(storage)).toEqual(before)
        expect(await check(storage)).toContain('ok')
        await storage.close()
        const kept = new Set(before.filter(([, name]) => String(name).startsWith('secret')).map(([id]) => id))
        for (const { person } of steps)
          if (!kept.has(String(person))) expect([person, remainsIn(path, `secret${person}-`)]).toEqual([person, 0])
      }),
      { numRuns: 25 },
    )
  }, 600_000)

  test('who writes meanwhile loses nothing, and a reader of before delays only the log', async () => {
    const path = freshPath()
    const storage = open(path)
    await storage.runScript(SCHEMA)
    await perform(
      storage,
      Array.from({ length: 300 }, (_, person) => ({ person, length: 2000, kind: 'put' as const })),
    )
    await write(storage, sql`delete from people where cast(id as integer) < 150`)
    const reader = new Connection(path, 50)
    reader.exec('BEGIN')
    reader.run('select count(*) from people', [])
    const wiping = storage.removeRemains([])
    for (let person = 1000; person < 1100; person++) await perform(storage, [{ person, length: 1500, kind: 'put' }])
    reader.exec('ROLLBACK')
    await wiping
    reader.close()
    expect(statSync(`${path}-wal`).size).toBe(0)
    expect(await rowsOf(storage)).toHaveLength(250)
    expect(await check(storage)).toContain('ok')
    await storage.close()
    expect(remainsIn(path, 'secret77-')).toBe(0)
  })
})

/** A file of an earlier version, which left what was deleted where it was. */
function fillAsBefore(path: string, steps: readonly Step[]) {
  const connection = new Connection(path, 50)
  for (const statement of ['PRAGMA journal_mode = WAL', 'PRAGMA secure_delete = OFF', ...SCHEMA])
    connection.exec(statement)
  for (const { person, length } of steps) {
    const id = String(person)
    connection.run('insert or replace into people values (?, ?, ?)', [
      id,
      textOf(person, length % 700),
      textOf(person, length),
    ])
    if (length % 3 === 0) connection.run('delete from people where id = ?', [id])
    if (length % 3 === 1) connection.run("update people set note = 'short' where id = ?", [id])
  }
  connection.close()
}
