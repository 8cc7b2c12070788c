import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openBlobs } from '../../src/base/blobs/open'
import { footerLine } from '../../src/base/db/dump'
import { sha256Hex } from '../../src/base/lib/hash'
import { at, type Bench, backupBench, contentOf, envOf, svc } from '../support/backup'
import { type BucketServer, bucketServer, refusal } from '../support/bucket'
import { childEnv, svcCommand } from '../support/process'

const LARGE = 3_000_000
const MANY = 10
const FILES: Record<string, Uint8Array> = {
  'assets/prj_1/ast_1/original': new TextEncoder().encode('a picture'),
  'fonts/prj_1/fnt_1/original': new Uint8Array(LARGE).map((_, index) => (index * 31 + (index >> 8)) % 251),
  'uploads/empty': new Uint8Array(),
}

let bench: Bench
let env: Record<string, string>
/** A backup with files beside it. */
let file: string
beforeAll(async () => {
  bench = await backupBench()
  env = envOf(bench.stage.ctx)
  for (const [key, bytes] of Object.entries(FILES)) await bench.stage.ctx.state.blobs.write(key, streamOf(bytes))
  file = await bench.backUp(env)
})
afterAll(() => bench.close())

const streamOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
const filesOf = (path: string) => `${path}.files`

/** What a folder of stored files holds, by key. */
async function stored(folder: string): Promise<Record<string, Uint8Array>> {
  const blobs = openBlobs({ storage: { kind: 'folder', path: join(folder, 'blobs') } })
  const found: Record<string, Uint8Array> = {}
  for (const key of await blobs.list('')) {
    const stream = await blobs.read(key)
    found[key] = stream ? new Uint8Array(await new Response(stream).arrayBuffer()) : new Uint8Array()
  }
  return found
}

/** The backup under another name. */
function copy(name: string): string {
  const path = bench.fresh(name)
  copyFileSync(file, path)
  copyFileSync(filesOf(file), filesOf(path))
  return path
}

/** The lines of an archive, changed; its footer fits them. */
function rewrite(path: string, change: (lines: string[]) => string[]): void {
  const lines = change(gunzipSync(readFileSync(path)).toString().trimEnd().split('\n').slice(0, -1))
  const text = lines.map((line) => `${line}\n`).join('')
  writeFileSync(path, gzipSync(text + footerLine({ rows: lines.length - 1, sha256: sha256Hex(text) })))
}

test('a backup has the stored files beside it, and a restore gives every byte back', async () => {
  const path = bench.fresh('whole.gz')
  const made = JSON.parse((await svc(['backup', path, '--json'], env)).out)
  expect(made.files).toEqual({ file: filesOf(path), files: 3, bytes: LARGE + 9 })
  const folder = bench.fresh('whole')
  const restored = await svc(['restore', path, '--json'], at(folder))
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(restored.out).files).toEqual({ files: 3, bytes: LARGE + 9 })
  expect(await stored(folder)).toEqual(FILES)
  expect(contentOf(await bench.backUp(at(folder)))).toEqual(contentOf(path))
})

test('people read how many files there are', async () => {
  const path = bench.fresh('told.gz')
  expect((await svc(['backup', path], env)).out).toContain(`${filesOf(path)}: 3 stored files, 3.0 MB. Keep both files`)
  expect((await svc(['restore', path], at(bench.fresh('told')))).out).toContain('3 stored files restored.')
})

test('a deployment without stored files has none beside its backup, and takes away an older one', async () => {
  const bare = bench.fresh('bare')
  expect((await svc(['restore', file, '--without-files'], at(bare))).code).toBe(0)
  expect(await stored(bare)).toEqual({})
  const path = copy('bare.gz')
  const { out } = await svc(['backup', path, '--force', '--json'], at(bare))
  expect(JSON.parse(out).files).toBeNull()
  expect(existsSync(filesOf(path))).toBe(false)
  expect((await svc(['restore', path], at(bench.fresh('bare2')))).code).toBe(0)
})

test('files that are there are kept without --force', async () => {
  const path = bench.fresh('kept.gz')
  writeFileSync(filesOf(path), 'older')
  const refused = await svc(['backup', path], env)
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('--force')
  expect(readFileSync(filesOf(path), 'utf8')).toBe('older')
  expect(existsSync(path)).toBe(false)
})

const broken: [name: string, damage: (files: string) => void, says: string][] = [
  ['are missing', (files) => Bun.spawnSync(['rm', files]), 'its stored files are missing'],
  ['are cut', (files) => truncateSync(files, 2000), 'its end is missing'],
  ['are empty', (files) => writeFileSync(files, ''), 'end is missing'],
  ['are something else', (files) => writeFileSync(files, 'no archive'), 'is not a backup of svc'],
  ['have a changed byte', (files) => rewrite(files, (lines) => lines.map(changed)), 'was changed or damaged'],
  ['lack the end of one', (files) => rewrite(files, (lines) => lines.slice(0, -1)), 'was changed or damaged'],
  ['lead out of the folder', (files) => rewrite(files, (lines) => lines.map(outside)), 'was changed or damaged'],
  [
    'are of another backup',
    (files) => rewrite(files, ([, ...rest]) => [OTHER, ...rest]),
    'the files of another backup',
  ],
  ['are rows', (files) => copyFileSync(file, files), 'it does not hold files of svc'],
]
const changed = (line: string) => line.replace('{"bytes":"YSBwaWN0dXJl"}', '{"bytes":"YSBwaWN0dXJm"}')
const outside = (line: string) => line.replace('"uploads/empty"', '"../outside"')
const OTHER = '{"format":"svc-files","formatVersion":1,"backupAt":"2020-01-01T00:00:00.000Z"}'
for (const [name, damage, says] of broken)
  test(`a backup whose files ${name} is refused before anything is written`, async () => {
    const path = copy('broken.gz')
    damage(filesOf(path))
    const folder = bench.fresh('broken')
    const ran = await svc(['restore', path], at(folder))
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toContain(says)
    expect(ran.err.split('\n')).toHaveLength(1)
    expect(await stored(folder)).toEqual({})
    expect((await svc(['restore', file], at(folder))).code).toBe(0)
  })

const intoBucket = (name: string, bucket: BucketServer): Record<string, string> => ({
  ...at(bench.fresh(name)),
  SVC_STORAGE_URL: 's3://files/svc',
  AWS_ENDPOINT_URL: bucket.url,
  AWS_ACCESS_KEY_ID: 'AK',
  AWS_SECRET_ACCESS_KEY: 'a-secret',
})

test('a backup of a folder is restored into a bucket, byte by byte', async () => {
  const bucket = bucketServer('AK')
  const restored = await svc(['restore', file, '--json'], intoBucket('bucket', bucket))
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(restored.out).files).toEqual({ files: 3, bytes: LARGE + 9 })
  const found = [...bucket.objects].map(([key, bytes]) => [key.replace('files/svc/', ''), new Uint8Array(bytes)])
  expect(Object.fromEntries(found)).toEqual(FILES)
  expect(bucket.open.size).toBe(0)
})

test('a bucket that refuses its files leaves an empty database, and the same command succeeds later', async () => {
  const bucket = bucketServer('AK')
  bucket.fault = ({ method }) => (method === 'PUT' || method === 'POST' ? refusal(403, 'AccessDenied') : null)
  const env = intoBucket('refusing', bucket)
  const refused = await svc(['restore', file], env)
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err.trim().split('\n')).toHaveLength(1)
  expect(refused.err).not.toContain('a-secret')
  expect(bucket.objects.size).toBe(0)
  bucket.fault = () => null
  expect((await svc(['restore', file], env)).code).toBe(0)
  expect(bucket.objects.size).toBe(3)
})

test('a database that is not empty gets no files', async () => {
  const folder = bench.fresh('full')
  await svc(['restore', file, '--without-files'], at(folder))
  const ran = await svc(['restore', file], at(folder))
  expect(ran).toMatchObject({ code: 1, out: '' })
  expect(ran.err).toContain('the database is not empty')
  expect(await stored(folder)).toEqual({})
})

test('where no files are kept, a backup with files needs --without-files', async () => {
  const off = { ...at(bench.fresh('off')), SVC_STORAGE_URL: 'off' }
  const ran = await svc(['restore', file], off)
  expect(ran).toMatchObject({ code: 1, out: '' })
  expect(ran.err).toContain('SVC_STORAGE_URL is off')
  expect((await svc(['restore', file, '--without-files'], off)).code).toBe(0)
})

test('a folder that cannot be written leaves the database empty', async () => {
  const folder = bench.fresh('blocked')
  mkdirSync(folder)
  writeFileSync(join(folder, 'blobs'), 'a file where the folder should be')
  const ran = await svc(['restore', file], at(folder))
  expect(ran).toMatchObject({ code: 1, out: '' })
  expect(ran.err).toContain('was not restored')
  Bun.spawnSync(['rm', join(folder, 'blobs')])
  expect((await svc(['restore', file], at(folder))).code).toBe(0)
  expect(await stored(folder)).toEqual(FILES)
})

test('an interruption leaves both older files and nothing else', async () => {
  const path = copy('interrupted.gz')
  const before = [path, filesOf(path)].map((one) => readFileSync(one))
  expect((await svc(['backup', path, '--force'], env, Promise.resolve())).code).toBe(1)
  expect([path, filesOf(path)].map((one) => readFileSync(one))).toEqual(before)
  expect(readdirSync(dirname(path)).filter((name) => name.startsWith(`.${basename(path)}`))).toEqual([])
  const folder = bench.fresh('interrupted')
  expect((await svc(['restore', path], at(folder), Promise.resolve())).code).toBe(1)
  expect(await stored(folder)).toEqual({})
})

test('a backup that is killed between its two files is not taken for a whole one', async () => {
  const folder = bench.fresh('killed')
  expect((await svc(['restore', file], at(folder))).code).toBe(0)
  const blobs = openBlobs({ storage: { kind: 'folder', path: join(folder, 'blobs') } })
  for (let index = 0; index < MANY; index++) await blobs.write(`uploads/many-${index}`, streamOf(new Uint8Array(LARGE)))
  const path = copy('killed.gz')
  const cmd = [...svcCommand(), 'backup', path, '--force', '--data', folder]
  const child = Bun.spawn(cmd, { env: childEnv(), cwd: folder, stdout: 'ignore', stderr: 'ignore' })
  const isBegun = () => readdirSync(dirname(path)).some((name) => name.startsWith(`.${basename(path)}.files-`))
  while (!isBegun() && child.exitCode === null) await Bun.sleep(1)
  child.kill('SIGKILL')
  await child.exited
  const fresh = bench.fresh('after')
  const ran = await svc(['restore', path], at(fresh))
  expect(ran.code).toBe(1)
  expect(ran.err).toContain('the files of another backup')
  expect((await svc(['backup', path, '--force'], at(folder))).code).toBe(0)
  expect((await svc(['restore', path], at(fresh))).code).toBe(0)
  expect(Object.keys(await stored(fresh))).toHaveLength(3 + MANY)
})
