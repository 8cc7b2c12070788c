import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkDump, loadDump } from '../../src/base/db/dump-load'
import { migrate } from '../../src/base/db/migrate'
import { openSqliteFile } from '../../src/base/db/sqlite-file'
import { makeTables } from '../../src/base/db/tables'
import { tablesOf } from '../../src/create-context'
import {
  at,
  type Bench,
  backupBench,
  contentOf,
  envOf,
  eventOf,
  linesOf,
  svc,
  withDatabase,
  writeBackup,
} from '../support/backup'
import { postgresMissing, startPostgres } from '../support/postgres-server'

let bench: Bench
beforeAll(async () => {
  bench = await backupBench()
})
afterAll(() => bench.close())

test('a restore gives back every row', async () => {
  const env = at(bench.fresh('copy'))
  const ran = await svc(['restore', bench.file, '--json'], env)
  expect(ran).toMatchObject({ code: 0, err: '' })
  const rows = contentOf(bench.file).rows.length
  expect(JSON.parse(ran.out)).toMatchObject({ file: bench.file, rows, migrated: [] })
  expect(contentOf(await bench.backUp(env))).toEqual(contentOf(bench.file))
})

test('a restore without the list of erased people says that they are back, and with it says nothing', async () => {
  const { createdAt } = JSON.parse(linesOf(bench.file)[0] ?? '')
  const { out } = await svc(['restore', bench.file], at(bench.fresh('list')))
  expect(out).toContain(`Anybody who was erased after ${createdAt} is back, because`)
  const kept = bench.fresh('kept')
  mkdirSync(kept, { recursive: true })
  writeFileSync(join(kept, 'erased.list'), '')
  expect((await svc(['restore', bench.file], at(kept))).out).not.toContain('is back')
})

test('serial keys go on after the highest that was ever handed out, and the ledger stays append-only', async () => {
  const env = at(bench.fresh('copy'))
  await svc(['restore', withHeader({ serials: { ...contentOf(bench.file).header.serials, events: 5000 } })], env)
  await withDatabase(env, async (ctx) => {
    await ctx.write((tx) => tx.db.insert(ctx.tables.events).values(eventOf('new')))
    const positions = (await ctx.db.select().from(ctx.tables.events)).map(({ position }) => position)
    expect(Math.max(...positions)).toBe(5001)
    await expect(ctx.write((tx) => tx.db.update(ctx.tables.ledger).set({ amount: 0n }))).rejects.toThrow()
  })
})

/** The rows of the original backup under a changed header. */
function withHeader(change: object): string {
  const [header, ...rows] = linesOf(bench.file).slice(0, -1)
  return made([JSON.stringify({ ...JSON.parse(header ?? ''), ...change }), ...rows])
}

function made(lines: string[]): string {
  const path = bench.fresh('made.gz')
  writeBackup(path, lines)
  return path
}

const rewrite = (path: string, change: (lines: string[]) => string[]): void =>
  writeFileSync(path, gzipSync(`${change(linesOf(path)).join('\n')}\n`))

function turnBit(path: string): void {
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

const spendLess = (line: string): string => line.replace('"amount":-30', '"amount":-29')
const damages: [name: string, damage: (path: string) => void, says: string][] = [
  ['cut in the middle', (path) => truncateSync(path, Math.floor(statSync(path).size / 2)), 'its end is missing'],
  ['cut by a byte', (path) => truncateSync(path, statSync(path).size - 1), 'its end is missing'],
  ['cut after a few bytes', (path) => truncateSync(path, 12), 'its end is missing'],
  ['empty', (path) => truncateSync(path, 0), 'its end is missing'],
  ['no gzip', (path) => writeFileSync(path, linesOf(path).join('\n')), 'it is not a backup of svc'],
  ['another gzip', (path) => writeFileSync(path, gzipSync('{}\n{}\n')), 'it is not a backup of svc'],
  ['one bit turned', turnBit, 'damaged'],
  ['a changed row', (path) => rewrite(path, (lines) => lines.map(spendLess)), 'it was changed'],
  ['a row less', (path) => rewrite(path, (lines) => lines.toSpliced(3, 1)), 'it was changed'],
  ['a row twice', (path) => rewrite(path, (lines) => lines.toSpliced(3, 0, lines[3] ?? '')), 'it was changed'],
  ['no footer', (path) => rewrite(path, (lines) => lines.slice(0, -1)), 'its end is missing'],
  ['rows after the footer', (path) => rewrite(path, (lines) => [...lines, lines[1] ?? '']), 'its end is missing'],
]
for (const [name, damage, says] of damages)
  test(`a damaged file is refused before anything is written: ${name}`, async () => {
    const path = bench.fresh('damaged.gz')
    writeFileSync(path, readFileSync(bench.file))
    damage(path)
    const folder = bench.fresh('copy')
    const ran = await svc(['restore', path], at(folder))
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toContain(says)
    expect(ran.err.split('\n')).toHaveLength(1)
    expect(existsSync(folder)).toBe(false)
  })

test('a database with projects is refused and stays as it is', async () => {
  const env = envOf(bench.stage.ctx)
  const ran = await svc(['restore', bench.file], env)
  expect(ran).toMatchObject({ code: 1, out: '' })
  expect(ran.err).toContain('it has projects already')
  expect(contentOf(await bench.backUp(env))).toEqual(contentOf(bench.file))
})

test('a database with other rows is refused; what an idle server noted is not in the way', async () => {
  const env = at(bench.fresh('copy'))
  await withDatabase(env, async (ctx) => {
    await ctx.db.insert(ctx.tables.cronRuns).values({ name: 'beat', lastRunAt: 1 })
    await ctx.db.insert(ctx.tables.revisions).values({ name: 'config', value: 1 })
  })
  expect((await svc(['restore', bench.file], env)).err).toContain('there are rows in its table revisions')
  await withDatabase(env, (ctx) => ctx.db.delete(ctx.tables.revisions))
  expect((await svc(['restore', bench.file], env)).code).toBe(0)
  expect(contentOf(await bench.backUp(env))).toEqual(contentOf(bench.file))
})

test('an interruption leaves the database empty, and the restore can be started again', async () => {
  const folder = bench.fresh('copy')
  const storage = openSqliteFile(join(folder, 'svc.db'), makeTables('sqlite', tablesOf()))
  const stop = new AbortController()
  const header = await checkDump(bench.file, { signal: stop.signal })
  const loading = loadDump(storage, bench.file, header, { signal: stop.signal, onRows: () => stop.abort() })
  await expect(loading).rejects.toThrow()
  expect(await storage.db.select().from(storage.tables.projects)).toEqual([])
  await storage.close()
  const interrupted = await svc(['restore', bench.file], at(folder), Promise.resolve())
  expect(interrupted).toMatchObject({ code: 1, out: '' })
  expect((await svc(['restore', bench.file], at(folder))).code).toBe(0)
  expect(contentOf(await bench.backUp(at(folder)))).toEqual(contentOf(bench.file))
})

const newer = { migrations: ['0000_init', '9999_future'], version: '9.1.0' }
const refusals: [name: string, path: () => string, says: string][] = [
  [
    'of a later format',
    () => withHeader({ formatVersion: 2, version: '9.1.0' }),
    'svc 9.1.0 made it in a newer format',
  ],
  ['of a newer svc', () => withHeader(newer), 'restore it with svc 9.1.0 or newer'],
  ['with a strange table', () => made([header(), '{"t":"sqlite_schema","r":{"a":1}}']), 'has no table sqlite_schema'],
  ['with a strange column', () => made([header(), '{"t":"access","r":{"a":1}}']), 'table access cannot be stored'],
  ['that is not there', () => bench.fresh('none.gz'), 'There is no file'],
]
for (const [name, path, says] of refusals)
  test(`a backup ${name} is refused, and the database still takes a good one`, async () => {
    const env = at(bench.fresh('copy'))
    const ran = await svc(['restore', path()], env)
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toContain(says)
    expect((await svc(['restore', bench.file], env)).code).toBe(0)
  })

const header = (): string => linesOf(bench.file)[0] ?? ''

for (const isSetUp of [false, true])
  test(`an older backup is brought up to date, ${isSetUp ? 'also where newer tables are' : 'in a new database'}`, async () => {
    const env = at(bench.fresh('copy'))
    if (isSetUp) expect((await svc(['migrate'], env)).code).toBe(0)
    const ran = await svc(['restore', await makeOldBackup(), '--json'], env)
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(ran.out).migrated).toContain('0001_ledger_append_only')
    await withDatabase(env, async (ctx) => {
      expect(await ctx.db.select().from(ctx.tables.revisions)).toEqual([{ name: 'config', value: 7 }])
      expect(await migrate(ctx.storage)).toEqual([])
    })
  })

test.skipIf(postgresMissing() !== null)(`on PostgreSQL newer tables and functions make room too`, async () => {
  const server = await startPostgres()
  const env = { SVC_DATABASE_URL: server.url, SVC_MASTER_KEY: 'off' }
  try {
    expect((await svc(['migrate'], env)).code).toBe(0)
    expect(await svc(['restore', await makeOldBackup()], env)).toMatchObject({ code: 0, err: '' })
    await withDatabase(env, async (ctx) => {
      expect(await ctx.db.select().from(ctx.tables.revisions)).toEqual([{ name: 'config', value: 7 }])
    })
  } finally {
    await server.stop()
  }
})

/** A backup of a database to which only the first migration was applied. */
async function makeOldBackup(): Promise<string> {
  const folder = bench.fresh('old')
  const storage = openSqliteFile(join(folder, 'svc.db'), makeTables('sqlite', tablesOf()))
  await migrate(storage, storage.migrations.slice(0, 1))
  await storage.db.insert(storage.tables.revisions).values({ name: 'config', value: 7 })
  await storage.close()
  const path = await bench.backUp(at(folder))
  expect(contentOf(path).header.migrations).toEqual(['0000_init'])
  return path
}
