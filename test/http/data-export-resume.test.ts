import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import type { ExportContent, SplitLimits } from '../../src/insight/data-export/model'
import type { RunRow } from '../../src/insight/data-export/queries'
import { ExportStopped, performRun } from '../../src/insight/data-export/run'
import { performSingle, prepareSingle } from '../../src/insight/data-export/single'
import { COINS, type Stage, stage } from '../support/cast'
import { freshFolder, jsonRows, readExport, runExport } from '../support/exports'
import { rowOf } from '../support/facts'

const PEOPLE = 2600
/** Of all three tables. */
const PAGES = 5

let s: Stage
beforeAll(async () => {
  s = await stage()
  await s.receipt('svc_ada', s.buy(COINS))
  const row = await rowOf(s, 'svc_ada')
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    ...{ ...row, id: s.ctx.ids.next('sub'), deviceKey: `svc_${n}`, appUserId: null },
  }))
  for (let from = 0; from < PEOPLE; from += 500)
    await s.ctx.write((tx) => tx.db.insert(tx.tables.subscribers).values(people.slice(from, from + 500)))
  s.ctx.clock.advance(MINUTE)
})
afterAll(() => s.close())

const CONTENT: ExportContent = { tables: ['subscribers', 'purchases', 'ledger'], format: 'jsonl', columns: 'svc' }

const orderOf = (path: string, content = CONTENT) => ({
  ...{ ...content, projectId: s.project.id, target: path, since: null },
})

/** One attempt to write the export, which stops after a number of pages; null = at its end. */
async function attempt(path: string, pages: number | null, limits: SplitLimits = { rows: 1000, bytes: 1 << 30 }) {
  const { run, isContinued } = await prepareSingle(s.ctx, orderOf(path))
  const place = { destination: { kind: 'folder', path }, credentials: null } as const
  let seen = 0
  const isStopping = () => pages !== null && ++seen > pages
  const result = await performSingle(s.ctx, run, place, { isStopping, limits }).catch((error: unknown) => error)
  return { result, isContinued, run }
}

const rowsIn = (path: string) => {
  const [folder = ''] = readdirSync(path)
  const found = readExport(join(path, folder))
  return CONTENT.tables.map((table) => jsonRows(found, table))
}

const findRun = async (id: string): Promise<RunRow | undefined> => {
  const { exportRuns } = s.ctx.tables
  return (await s.ctx.db.select().from(exportRuns).where(eq(exportRuns.id, id)))[0]
}

describe('a large table', () => {
  test('is split at a number of rows, in an order that does not change', async () => {
    const path = freshFolder()
    await attempt(path, null)
    const [folder = ''] = readdirSync(path)
    const { manifest } = readExport(join(path, folder))
    expect(manifest.files.map(({ name, rows }: { name: string; rows: number }) => [name, rows])).toEqual([
      ['subscribers-000001.jsonl', 1000],
      ['subscribers-000002.jsonl', 1000],
      ['subscribers-000003.jsonl', PEOPLE - 1999],
      ['purchases-000001.jsonl', 1],
      ['ledger-000001.jsonl', 1],
    ])
    const ids = rowsIn(path)[0]?.map(({ id }) => id) ?? []
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(PEOPLE + 1)
  })

  test('is split at a size', async () => {
    const path = freshFolder()
    await attempt(path, null, { rows: 1 << 30, bytes: 300_000 })
    const [folder = ''] = readdirSync(path)
    const files = readExport(join(path, folder)).manifest.files
    expect(files.filter(({ table }: { table: string }) => table === 'subscribers').length).toBeGreaterThan(1)
    expect(rowsIn(path)[0]).toHaveLength(PEOPLE + 1)
  })
})

describe('an export that is stopped', () => {
  test('after any page goes on behind its last complete file, and ends as if undisturbed', async () => {
    const whole = freshFolder()
    await attempt(whole, null)
    for (let pages = 0; pages < PAGES; pages++) {
      const path = freshFolder()
      const first = await attempt(path, pages)
      expect(first.result).toBeInstanceOf(ExportStopped)
      const [folder = ''] = readdirSync(path)
      const left = readdirSync(join(path, folder))
      expect(left).not.toContain('manifest.json')
      expect(left.filter((name) => name.startsWith('.'))).toEqual([])
      expect(await findRun(first.run.id)).toMatchObject({ status: 'RUNNING', owner: null })
      const second = await attempt(path, null)
      expect([second.isContinued, second.run.id]).toEqual([true, first.run.id])
      expect(readdirSync(path)).toEqual([folder])
      expect(rowsIn(path)).toEqual(rowsIn(whole))
      expect(await findRun(first.run.id)).toMatchObject({ status: 'COMPLETED', owner: null, rowCount: PEOPLE + 3 })
    }
  })

  test('leaves every file that it has placed as it is', async () => {
    const path = freshFolder()
    await attempt(path, 2)
    const [folder = ''] = readdirSync(path)
    const file = join(path, folder, 'subscribers-000001.jsonl')
    const before = readFileSync(file)
    await attempt(path, null)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('is continued by the same command only, and by the command line too', async () => {
    const path = freshFolder()
    const stopped = await attempt(path, 1)
    const ran = await runExport(s, '--to', path, '--format', 'jsonl', '--table', 'subscribers,purchases,ledger')
    expect(ran).toMatchObject({ code: 0, err: 'This goes on with an export that was interrupted.' })
    expect((await findRun(stopped.run.id))?.status).toBe('COMPLETED')
    const other = freshFolder()
    const abandoned = await attempt(other, 1)
    const csv = await runExport(s, '--to', other)
    expect(csv).toMatchObject({ code: 0, err: '' })
    expect(await findRun(abandoned.run.id)).toMatchObject({ status: 'FAILED' })
    expect(readdirSync(other)).toHaveLength(2)
  })

  test('more than a day ago is given up, and a new one begins', async () => {
    const path = freshFolder()
    const old = await attempt(path, 1)
    s.ctx.clock.advance(DAY)
    const { isContinued, run } = await attempt(path, null)
    expect([isContinued, run.windowTo]).toEqual([false, s.ctx.clock.now()])
    expect((await findRun(old.run.id))?.status).toBe('FAILED')
  })
})

describe('two exports into one place', () => {
  test('at the same time are refused', async () => {
    const path = freshFolder()
    await prepareSingle(s.ctx, orderOf(path))
    const ran = await runExport(s, '--to', path)
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toBe('Another process is writing an export to this place; wait for it')
    expect(readdirSync(path)).toEqual([])
    s.ctx.clock.advance(HOUR) // The other process has not been heard of for so long.
    expect((await runExport(s, '--to', path)).code).toBe(0)
  })

  test('one that another process has taken over places nothing more', async () => {
    const path = freshFolder()
    const { run } = await prepareSingle(s.ctx, orderOf(path))
    const { exportRuns } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(exportRuns).set({ owner: 'elsewhere 1 x' }).where(eq(exportRuns.id, run.id)))
    const place = { destination: { kind: 'folder', path }, credentials: null } as const
    const lost = await performSingle(s.ctx, run, place, { isStopping: () => false }).catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(ExportStopped)
    const [folder = ''] = readdirSync(path)
    expect(readdirSync(join(path, folder))).toEqual([])
    expect(await findRun(run.id)).toMatchObject({ owner: 'elsewhere 1 x', status: 'RUNNING' })
  })
})

test('a full disk ends the export with a sentence, and the export can go on', async () => {
  const { run } = await prepareSingle(s.ctx, orderOf(freshFolder()))
  const placed: string[] = []
  const target = {
    partPath: () => '/dev/full',
    place: async (name: string) => void placed.push(name),
    placeText: async (name: string) => void placed.push(name),
    close: async () => {},
  }
  if (!existsSync('/dev/full')) return
  const failed = await performRun(s.ctx, run, { target, isStopping: () => false }).catch((error: unknown) => error)
  expect(String(failed)).toContain('ENOSPC')
  expect(placed).toEqual([])
  expect(await findRun(run.id)).toMatchObject({ status: 'RUNNING', progress: { files: [] } })
})
