import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../../src/base/lib/hash'
import { childEnv, startServerProcess } from '../support/process'
import { isRelease } from '../support/release'

const ROOT = join(import.meta.dir, '..', '..')
const FOLDER = join(ROOT, 'dist', 'release')
const NAME = 'svc-1.0.0-linux-x64'
const home = mkdtempSync(join(tmpdir(), 'svc-release-test-'))

afterAll(() => rmSync(home, { recursive: true, force: true }))

const ran = (program: string, words: string[], cwd: string) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...words], { cwd, env: childEnv() })
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() }
}

test('a machine that no release is made for is refused, and nothing is built', () => {
  const { code, out, err } = ran(process.execPath, ['src/build-release.ts', 'linux-x64', 'amiga'], ROOT)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('There is no amiga. A release is made for linux-x64, ')
})

test.skipIf(!isRelease || process.arch !== 'x64')(
  'the archive for Linux on x64 has the digests that are written beside it, and starts in an empty folder',
  async () => {
    expect(ran(process.execPath, ['src/build-release.ts', 'linux-x64'], ROOT)).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(FOLDER).sort()).toEqual(['SHA256SUMS', `${NAME}.cdx.json`, `${NAME}.tar.gz`])
    expect(ran('sha256sum', ['--check', 'SHA256SUMS'], FOLDER)).toMatchObject({ code: 0 })
    const bill = JSON.parse(readFileSync(join(FOLDER, `${NAME}.cdx.json`), 'utf8'))
    expect(bill.metadata.component.hashes[0].content).toBe(sha256Hex(readFileSync(join(FOLDER, `${NAME}.tar.gz`))))
    const names = bill.components.map(({ name }: { name: string }) => name)
    for (const name of ['bun', '@libsql/linux-x64-gnu', 'elysia', 'stripe', 'react', 'googleapis'])
      expect(names).toContain(name)
    expect(names).not.toContain('typescript')
    expect(ran('tar', ['-xzf', join(FOLDER, `${NAME}.tar.gz`)], home)).toMatchObject({ code: 0 })
    expect(readdirSync(home).sort()).toEqual(['LICENSE', 'svc'])
    await answersHealth(join(home, 'svc'))
  },
  600_000,
)

async function answersHealth(executable: string): Promise<void> {
  const data = join(home, 'data')
  mkdirSync(data)
  const server = await startServerProcess(data, {}, [executable])
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await server.kill('SIGTERM')).toBe(0)
}

test.skipIf(!isRelease || !Bun.which('docker'))(
  'the image is built, and says its version',
  () => {
    expect(ran('docker', ['build', '--quiet', '--tag', 'svc-test', '.'], ROOT)).toMatchObject({ code: 0 })
    expect(ran('docker', ['run', '--rm', 'svc-test', '--version'], ROOT)).toMatchObject({ code: 0, out: '1.0.0\n' })
  },
  1_800_000,
)
