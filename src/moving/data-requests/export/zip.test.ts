import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzip } from '../../../../test/support/data-requests'
import { type ZipEntry, zip } from './zip'

const AT = Date.UTC(2026, 10, 20, 8, 30, 42)

async function* partsOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const bytesOf = async (entries: ZipEntry[]): Promise<Buffer> => Buffer.concat(await Array.fromAsync(zip(entries, AT)))

test('holds what was put in: text of several parts, nothing, and names and texts beyond ASCII', async () => {
  const entries = [
    { name: 'a.jsonl', bytes: partsOf('one\n', 'two\n') },
    { name: 'empty.jsonl', bytes: partsOf() },
    { name: 'äöü.json', bytes: partsOf('{"ş":"日本"}') },
  ]
  expect([...unzip(await bytesOf(entries))]).toEqual([
    ['a.jsonl', 'one\ntwo\n'],
    ['empty.jsonl', ''],
    ['äöü.json', '{"ş":"日本"}'],
  ])
})

test('without a file is a zip too', async () => {
  expect(unzip(await bytesOf([])).size).toBe(0)
})

test.skipIf(Bun.which('unzip') === null)('other programs read it, and its time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-zip-'))
  try {
    const path = join(folder, 'x.zip')
    await Bun.write(path, await bytesOf([{ name: 'a.txt', bytes: partsOf('one'.repeat(10_000)) }]))
    const tested = Bun.spawnSync(['unzip', '-t', path])
    expect([tested.exitCode, tested.stdout.toString()]).toEqual([0, expect.stringContaining('No errors detected')])
    expect(Bun.spawnSync(['unzip', '-l', path]).stdout.toString()).toMatch(/30000\s+2026-11-20 08:30\s+a\.txt/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('reads a file only as fast as its bytes are taken', async () => {
  let made = 0
  async function* endless() {
    for (;;) {
      made++
      yield crypto.getRandomValues(new Uint8Array(64 * 1024))
    }
  }
  const parts = zip([{ name: 'endless', bytes: endless() }], AT)
  for (let taken = 0; taken < 4; taken++) await parts.next()
  expect(made).toBeLessThan(64)
  await parts.return(undefined)
  const before = made
  await new Promise(setImmediate)
  expect(made).toBe(before)
})

test('ends with the error of a file that cannot be read', async () => {
  async function* broken() {
    yield Buffer.from('one')
    throw new Error('the rows are gone')
  }
  await expect(bytesOf([{ name: 'a', bytes: broken() }])).rejects.toThrow('the rows are gone')
})
