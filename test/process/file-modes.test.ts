import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { childEnv, svcCommand, tempFolder } from '../support/process'

// Everything that svc writes is for its own user only, whatever its folder and the caller's mask allow.

const folder = tempFolder()
const data = join(folder.path, 'data')
const elsewhere = join(folder.path, 'elsewhere')

beforeAll(() => {
  for (const path of [data, elsewhere]) mkdirSync(path)
  for (const path of [folder.path, data, elsewhere]) chmodSync(path, 0o777)
})
afterAll(() => folder.remove())

const env = { ...childEnv(), SVC_RATE_KEY: '0', SVC_INTERNAL_PORT: '0', SVC_LOG_LEVEL: 'warn' }
const open = (...args: string[]) => ['sh', '-c', 'umask 000; exec "$@"', 'sh', ...svcCommand(), ...args]

function svc(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(open(...args, '--data', data), { env, cwd: elsewhere })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

/** The modes of all files below a folder, by their paths. */
const modes = (path: string): [path: string, mode: string][] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => [
    name,
    (statSync(join(path, name)).mode & 0o777).toString(8),
  ])

const expectPrivate = (path: string, wanted: string[]): void => {
  const found = modes(path)
  for (const name of wanted) expect(found.map(([one]) => one)).toContain(name)
  expect(found.filter(([, mode]) => !/00$/.test(mode))).toEqual([])
}

/** Waits until a process has said this. Its output stays open, so that it can say more. */
async function said(stdout: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const reader = stdout.getReader()
  for (let all = ''; !all.includes(text); ) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`it ended, having said ${all}`)
    all += Buffer.from(value).toString()
  }
}

test('the database with its log, the key and what a running server writes', async () => {
  const server = Bun.spawn(open('serve', '--port', '0', '--data', data), { env, cwd: elsewhere, stdout: 'pipe' })
  await said(server.stdout, 'listening on')
  svc('project', 'create', '--name', 'Sleep')
  expectPrivate(data, ['svc.db', 'svc.db-wal', 'svc.db-shm', 'master.key'])
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expectPrivate(data, ['svc.db', 'master.key'])
}, 600_000)

test('a backup, an export, and a database restored elsewhere', () => {
  svc('backup', join(elsewhere, 'svc.backup'))
  svc('export', '--project', 'sleep', '-o', join(elsewhere, 'project.yaml'))
  const restored = join(elsewhere, 'restored')
  const { exitCode } = Bun.spawnSync(open('restore', join(elsewhere, 'svc.backup'), '--data', restored), { env })
  expect(exitCode).toBe(0)
  expectPrivate(elsewhere, ['svc.backup', 'project.yaml', 'restored', join('restored', 'svc.db')])
}, 600_000)

test('the receipt of the demo', async () => {
  const TMPDIR = join(folder.path, 'tmp')
  mkdirSync(TMPDIR)
  chmodSync(TMPDIR, 0o777)
  const demo = Bun.spawn(open('demo', '--json', '--port', '0'), { env: { ...env, TMPDIR }, stdout: 'pipe' })
  await said(demo.stdout, 'baseUrl')
  const written = modes(TMPDIR).filter(([name]) => name.startsWith('svc-'))
  expect(written.map(([name]) => name.split('/').at(-1))).toContain('receipt.json')
  expect(written.filter(([, mode]) => !/00$/.test(mode))).toEqual([])
  demo.kill('SIGTERM')
  await demo.exited
}, 600_000)
