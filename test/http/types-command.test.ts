import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { typesCommand } from '../../src/moving/project-file/types-command'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { configure } from '../support/remote'

let s: Stage
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-types-'))
  s = await stage()
  await configure(s, { flags: [{ key: 'new_checkout' }] })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await s.close()
})

const types = (...args: string[]) => runBeside(s, typesCommand, ...args)

test('svc types prints the names of the project, or writes them', async () => {
  const file = join(folder, 'svc.d.ts')
  const { code, out } = await types('--project', 'project-1')
  expect(code).toBe(0)
  expect(out).toContain("declare module '@svc/client/core' {")
  expect(out).toContain("access: 'coach' | 'pro'")
  expect(out).toContain("'new_checkout': boolean")
  expect((await types('--project', 'project-1', '--out', file)).out).toBe(`${file} is written`)
  expect(readFileSync(file, 'utf8')).toBe(`${out}\n`)
})

test('--check exits 3 when the project has changed since, and writes nothing', async () => {
  const file = join(folder, 'checked.d.ts')
  await types('--project', 'project-1', '--out', file)
  const before = readFileSync(file, 'utf8')
  expect((await types('--project', 'project-1', '--check', file)).code).toBe(0)
  await configure(s, { flags: [{ key: 'later' }] })
  const { code, out } = await types('--project', 'project-1', '--check', file)
  expect([code, out]).toEqual([
    3,
    `${file} is not what the project has; run svc types --project project-1 --out ${file}`,
  ])
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect((await types('--project', 'project-1', '--check', join(folder, 'missing.d.ts'))).code).toBe(3)
  writeFileSync(file, `${before}\n`)
  expect(JSON.parse((await types('--project', 'project-1', '--check', file, '--json')).out)).toEqual({
    file,
    isSame: false,
  })
})

test.each([
  [[], 2, /types needs --project/],
  [['--project', 'nobody'], 1, /nobody/],
  [['--project', 'project-1', '--out', 'a', '--check', 'b'], 2, /--check writes nothing/],
  [['--project', 'project-1', '--out', '/nowhere/at/all.d.ts'], 1, /cannot be written/],
] as [string[], number, RegExp][])('svc types %p exits %p', async (args, expected, words) => {
  const { code, err } = await types(...args)
  expect([code, err]).toEqual([expected, expect.stringMatching(words)])
})
