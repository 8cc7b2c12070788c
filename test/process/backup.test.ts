import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { at, type Bench, backupBench, contentOf, envOf, svc } from '../support/backup'
import { childEnv, startServerProcess, svcCommand } from '../support/process'

let bench: Bench
let env: Record<string, string>
beforeAll(async () => {
  bench = await backupBench()
  env = envOf(bench.stage.ctx)
})
afterAll(() => bench.close())

test('a backup names its migrations and counts, and holds every table but its own bookkeeping', () => {
  const { header, rows } = contentOf(bench.file)
  expect(header).toMatchObject({ format: 'svc-backup', formatVersion: 1, counts: { projects: 2, ledger: 3 } })
  expect(header.migrations).toEqual(bench.stage.ctx.storage.migrations.map(({ tag }) => tag))
  expect(header.counts.svc_migrations).toBeUndefined()
  expect(Object.values<number>(header.counts).reduce((sum, count) => sum + count, 0)).toBe(rows.length)
})

test('it says what it wrote, and reminds of the key', async () => {
  const path = bench.fresh('told.gz')
  const { out } = await svc(['backup', path, '--json'], env)
  expect(JSON.parse(out)).toMatchObject({ file: path, rows: contentOf(path).rows.length, bytes: statSync(path).size })
  expect((await svc(['backup', path, '--force'], env)).out).toContain('SVC_MASTER_KEY')
})

test('only the owner may read the file, and nothing else is left beside it', () => {
  expect(statSync(bench.file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(bench.file)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a file that is there is kept without --force', async () => {
  const before = readFileSync(bench.file)
  const refused = await svc(['backup', bench.file], env)
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('--force')
  expect(readFileSync(bench.file).equals(before)).toBe(true)
})

const away = { SVC_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }
const refusals: [name: string, argv: string[], env: () => Record<string, string>, code: number, says: string][] = [
  ['without a file', ['backup'], () => env, 2, 'takes one FILE'],
  ['with two files', ['backup', 'a', 'b'], () => env, 2, 'takes one FILE'],
  ['of no database', ['backup', 'x.gz'], () => at(bench.fresh('none')), 1, 'There is no database at'],
  ['into no folder', ['backup', '/nowhere/x.gz'], () => env, 1, 'was not written: ENOENT'],
  ['of a server that is away', ['backup', 'x.gz'], () => away, 1, 'was not written: connect ECONNREFUSED'],
]
for (const [name, argv, given, code, says] of refusals)
  test(`a backup ${name} is refused in one sentence`, async () => {
    const ran = await svc(argv, given())
    expect(ran).toMatchObject({ code, out: '' })
    expect(ran.err).toContain(says)
    expect(ran.err.split('\n')).toHaveLength(1)
    expect(existsSync('x.gz')).toBe(false)
  })

test('an interruption leaves the older file and nothing else', async () => {
  const folder = bench.fresh('interrupted')
  mkdirSync(folder)
  const path = join(folder, 'b.gz')
  writeFileSync(path, 'older')
  const ran = await svc(['backup', path, '--force'], env, Promise.resolve())
  expect(ran).toMatchObject({ code: 1, out: '' })
  expect(ran.err).toContain('interrupted')
  expect(readdirSync(folder)).toEqual(['b.gz'])
  expect(readFileSync(path, 'utf8')).toBe('older')
})

test('it runs beside a server, as another process', async () => {
  const folder = bench.fresh('beside')
  await svc(['restore', bench.file], at(folder))
  const server = await startServerProcess(folder, { SVC_MASTER_KEY: 'off' })
  try {
    const path = bench.fresh('beside.gz')
    const cmd = [...svcCommand(), 'backup', path, '--data', folder, '--json']
    const ran = Bun.spawnSync({ cmd, env: childEnv(), cwd: folder })
    expect({ code: ran.exitCode, err: ran.stderr.toString() }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(ran.stdout.toString()).file).toBe(path)
    expect(contentOf(path).header.counts.projects).toBe(2)
  } finally {
    expect(await server.kill('SIGTERM')).toBe(0)
  }
})
