import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/base/lib/clock'
import { envOf } from '../support/backup'
import { type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { importSample } from '../support/import-stage'
import { childEnv, svcCommand, tempFolder } from '../support/process'
import { zip } from '../support/zip'

// The command as a person types it, in processes of their own; each test goes on where the one before has ended.

const folder = tempFolder()
let s: Stage
beforeAll(async () => {
  s = await stage({ now: systemClock.now() }) // The processes have the clock of the machine.
})
afterAll(async () => {
  await s.close()
  folder.remove()
})

async function svc(...args: string[]) {
  const child = Bun.spawn([...svcCommand(), 'import', ...args], {
    env: { ...childEnv(), ...envOf(s.ctx), SVC_MASTER_KEY: TEST_KEY },
    cwd: folder.path,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out: out.trimEnd(), err: err.trimEnd() }
}

const on = (...args: string[]) => svc(...args, '--project', s.project.id)

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}

const HEADER = 'subscriberExternalId,store,productIdentifier,purchaseDate,originalTransactionId'
const rows = (from: number, count: number) =>
  [HEADER, ...Array.from({ length: count }, (_, n) => line(from + n)), ''].join('\n')
const line = (n: number) => `person_${n},ios_store,com.x.pro.monthly,2026-01-01,${n}`

const counts = async () => ({
  people: await s.ctx.db.$count(s.ctx.tables.subscribers),
  purchases: await s.ctx.db.$count(s.ctx.tables.purchases),
})

let id = ''

test('a dry run recognises the file of a vendor, reports what is wrong, and writes nothing', async () => {
  const { code, out, err } = await on(importSample('revenuecat_v5.csv'), '--dry-run')
  expect([code, err]).toEqual([3, ''])
  expect(out.split('\n')[0]).toMatch(
    /^revenuecat_v5\.csv \(imp_\w+\): 61 rows, 54 can be read \(5 of them are left out, as .+\), 7 cannot\.$/,
  )
  expect(out).toContain('line 59, store: "amazon" has no entry in the value map')
  const [job] = JSON.parse((await on('list', '--json')).out).imports
  const report = await on('report', job.id)
  expect([report.code, report.out.split('\r\n').length]).toEqual([0, 8])
  expect(await counts()).toEqual({ people: 0, purchases: 0 })
})

test('a commit of a gzip and a zip file writes both, one after the other', async () => {
  const packed = file('a.csv.gz', Bun.gzipSync(Buffer.from(rows(1, 3))))
  const zipped = file('b.zip', zip([['b.csv', rows(4, 2)]]))
  const { code, out, err } = await on(packed, zipped, '--commit', '--json')
  expect([code, err]).toEqual([0, ''])
  const { imports } = JSON.parse(out)
  expect(imports).toMatchObject([
    { fileName: 'a.csv.gz', preset: 'svc', status: 'COMPLETED', counters: { rows: 3, purchasesNew: 3 } },
    { fileName: 'b.zip', preset: 'svc', status: 'COMPLETED', counters: { rows: 2, purchasesNew: 2 } },
  ])
  id = imports[0].id
  expect(await counts()).toEqual({ people: 5, purchases: 5 })
})

test('the same file once more changes nothing', async () => {
  const { code, out } = await on(file('again.csv', rows(1, 5)), '--commit')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^again\.csv \(imp_\w+\): 5 rows, 5 can be read, 0 cannot\.$/m),
  ])
  expect(await counts()).toEqual({ people: 5, purchases: 5 })
})

test('list and show read what became of it', async () => {
  const list = await on('list')
  expect([list.code, list.out.split('\n').length]).toEqual([0, 5])
  expect(list.out).toContain('again.csv')
  expect(JSON.parse((await on('list', '--limit', '2', '--json')).out).imports).toHaveLength(2)
  const shown = await on('show', id)
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('3 new people, 3 new purchases')])
  expect(JSON.parse((await on('show', id, '--json')).out)).toMatchObject({ id, status: 'COMPLETED', undoneAt: null })
})

test('undo takes back what only this import has brought, and is refused the second time', async () => {
  const lone = await on(file('lone.csv', rows(90, 2)), '--commit', '--json')
  const job = JSON.parse(lone.out).imports[0]
  const undone = await on('undo', job.id, '--yes')
  expect([undone.code, undone.out]).toEqual([
    ...[0, `${job.id} is taken back: 2 purchases and 2 people removed, 0 purchases kept, without what it had added.`],
  ])
  expect((await on('show', job.id)).out.split('\n').at(-1)).toBe(undone.out)
  expect(await counts()).toEqual({ people: 5, purchases: 5 })
  expect(await on('undo', job.id, '--yes')).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining('taken back already'),
  })
  const shared = JSON.parse((await on('undo', id, '--yes', '--json')).out) // again.csv has read its rows too.
  expect(shared.undone).toEqual({ purchasesRemoved: 0, purchasesChanged: 0, subscribersRemoved: 0 })
  expect(await counts()).toEqual({ people: 5, purchases: 5 })
})

test('a mapping file makes any table readable', async () => {
  const { mapping } = await Bun.file(importSample('generic_decimal_comma.expect.json')).json()
  const path = file('mapping.json', JSON.stringify(mapping))
  const { code, out } = await on(importSample('generic_decimal_comma.csv'), '--mapping', path, '--dry-run')
  expect([code, out.split('\n')[0]]).toEqual([
    ...[
      3,
      expect.stringMatching(/^generic_decimal_comma\.csv \(imp_\w+\): 11 rows, 8 can be read \(1 of .+\), 3 cannot\.$/),
    ],
  ])
  const unmapped = await on(importSample('generic_decimal_comma.csv'), '--dry-run')
  expect([unmapped.code, unmapped.err]).toEqual([
    ...[1, expect.stringMatching(/has no column for .*subscriberExternalId.*; it has .*--mapping mapping\.yaml/)],
  ])
})

const good = () => file('good.csv', rows(1, 1))

const REFUSED: [name: string, args: () => string[], code: number, says: RegExp][] = [
  ['a file that is not there', () => ['none.csv', '--project', s.project.id], 1, /There is no file none\.csv/],
  ['a file that is empty', () => [file('empty.csv', ''), '--project', s.project.id], 1, /The file is empty/],
  ['a project that does not exist', () => [good(), '--project', 'nowhere'], 1, /nowhere/],
  ['two ways at once', () => [good(), '--dry-run', '--commit'], 2, /exclude each other/],
  ['no file', () => [], 2, /import takes files/],
  ['an option that does not exist', () => [good(), '--force'], 2, /--force/],
  ['another preset', () => [good(), '--preset', 'revenuecat_v5', '--project', s.project.id], 2, /columns of svc/],
  [
    'an import that does not exist',
    () => ['undo', 'imp_none', '--yes', '--project', s.project.id],
    1,
    /no import imp_none/,
  ],
]

test.each(REFUSED)('%s is refused with one sentence', async (_name, args, code, says) => {
  const before = await counts()
  const ran = await svc(...args())
  expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(says)])
  expect(ran.err).not.toMatch(/\n\s+at /) // No stack.
  expect(await counts()).toEqual(before)
})
