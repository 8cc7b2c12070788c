import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobsUnavailable } from '../src/base/blobs/blobs'
import { bucketBlobs } from '../src/base/blobs/bucket-blobs'
import { folderBlobs } from '../src/base/blobs/folder-blobs'
import type { BlobPlace } from '../src/base/blobs/place'
import { AppError } from '../src/base/errors'
import { type BucketServer, bucketServer, refusal } from './support/bucket'
import { Deployments } from './support/deployment'

const MB = 1024 * 1024
const root = mkdtempSync(join(tmpdir(), 'svc-blobs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const bytesOf = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream()

/** Pieces of a megabyte; after the last one the stream ends, or fails. */
function pieces(count: number, error?: unknown): ReadableStream<Uint8Array> {
  let made = 0
  return new ReadableStream({
    pull(controller) {
      if (made < count) controller.enqueue(new Uint8Array(MB).fill(made++ % 251))
      else if (error === undefined) controller.close()
      else controller.error(error)
    },
  })
}

async function textOf(stream: ReadableStream<Uint8Array> | null): Promise<string | null> {
  return stream === null ? null : new Response(stream).text()
}

const BUCKET = {
  kind: 's3',
  bucket: 'kept',
  region: 'us-east-1',
  accessKeyId: 'AK',
  secretAccessKey: 'secret',
} as const

let folder: string
let server: BucketServer
const places: [name: string, open: () => BlobPlace][] = [
  ['a folder', () => folderBlobs(folder)],
  ['a bucket', () => bucketBlobs({ ...BUCKET, prefix: 'svc/files', endpoint: server.url, sessionToken: null })],
]

beforeEach(() => {
  folder = join(mkdtempSync(join(root, 'place-')), 'blobs')
  server = bucketServer('AK')
})

describe.each(places)('%s', (_name, open) => {
  test('gives back what was written, from any offset', async () => {
    const blobs = open()
    const sha256 = createHash('sha256').update('0123456789').digest('hex')
    expect(await blobs.write('imports/imp_1/0', bytesOf('0123456789'))).toEqual({ bytes: 10, sha256 })
    expect(await blobs.size('imports/imp_1/0')).toBe(10)
    expect(await textOf(await blobs.read('imports/imp_1/0'))).toBe('0123456789')
    expect(await textOf(await blobs.read('imports/imp_1/0', 4))).toBe('456789')
    expect(await textOf(await blobs.read('imports/imp_1/0', 10))).toBe('')
    expect(await textOf(await blobs.read('imports/imp_1/0', 11))).toBe('')
  })

  test('an empty blob is one', async () => {
    const blobs = open()
    expect(await blobs.write('dsar/a.zip', bytesOf(''))).toMatchObject({ bytes: 0 })
    expect([await blobs.size('dsar/a.zip'), await textOf(await blobs.read('dsar/a.zip'))]).toEqual([0, ''])
    expect(await blobs.list('')).toEqual(['dsar/a.zip'])
  })

  test('what is not there is null, and its removal does nothing', async () => {
    const blobs = open()
    expect([await blobs.size('imports/a'), await blobs.read('imports/a'), await blobs.list('')]).toEqual([
      null,
      null,
      [],
    ])
    await blobs.remove('imports/a')
    await blobs.write('imports/a/0', bytesOf('x'))
    expect([await blobs.size('imports/a'), await blobs.read('imports/a')]).toEqual([null, null])
  })

  test('a later blob takes the place of the earlier one', async () => {
    const blobs = open()
    await blobs.write('imports/a', bytesOf('first'))
    await blobs.write('imports/a', bytesOf('2nd'))
    expect(await textOf(await blobs.read('imports/a'))).toBe('2nd')
    await blobs.remove('imports/a')
    expect(await blobs.size('imports/a')).toBeNull()
  })

  test('lists the keys of a prefix in their order', async () => {
    server.pageSize = 2
    const blobs = open()
    const keys = ['imports/b/1', 'imports/b/0', 'imports/bb/0', 'imports/a', 'dsar/z.zip']
    for (const key of keys) await blobs.write(key, bytesOf(key))
    expect(await blobs.list('imports/b/')).toEqual(['imports/b/0', 'imports/b/1'])
    expect(await blobs.list('imports/b')).toEqual(['imports/b/0', 'imports/b/1', 'imports/bb/0'])
    expect(await blobs.list('')).toEqual([...keys].sort())
  })

  test('a key that is not one is refused by every call', async () => {
    const blobs = open()
    const wrong = [
      '',
      '..',
      '../a',
      'a/../b',
      'a/./b',
      '/a',
      'a/',
      'a//b',
      '.a',
      'a/.b',
      'a\0b',
      'a b',
      'a\\b',
      'ä',
      'A/b',
    ]
    for (const key of wrong) {
      expect(async () => await blobs.write(key, bytesOf('x'))).toThrow(RangeError)
      for (const call of ['read', 'size', 'remove'] as const)
        expect(async () => await blobs[call](key)).toThrow(RangeError)
    }
    expect(existsSync(folder)).toBe(false)
    expect(server.calls).toEqual([])
  })

  test.each([2, 20])(
    'a stream that fails after %d megabytes leaves nothing, and its own error is thrown',
    async (count) => {
      const blobs = open()
      await blobs.write('imports/a', bytesOf('before'))
      const error = new AppError('PAYLOAD_TOO_LARGE')
      expect(await blobs.write('imports/a', pieces(count, error)).catch((thrown) => thrown)).toBe(error)
      expect(await blobs.write('imports/b', pieces(count, error)).catch((thrown) => thrown)).toBe(error)
      expect(await blobs.list('')).toEqual(['imports/a'])
      expect(await textOf(await blobs.read('imports/a'))).toBe('before')
      expect(server.open.size).toBe(0)
      if (existsSync(folder)) expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['imports', 'imports/a'])
    },
  )

  test('is visible only at its end, also a large one', async () => {
    const blobs = open()
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    let made = 0
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (made === 20) await gate
        if (made++ < 30) controller.enqueue(new Uint8Array(MB))
        else controller.close()
      },
    })
    const writing = blobs.write('imports/large', slow)
    while (made < 20) await new Promise(setImmediate)
    expect([await blobs.size('imports/large'), await blobs.list('')]).toEqual([null, []])
    release()
    expect(await writing).toMatchObject({ bytes: 30 * MB })
    expect(await blobs.size('imports/large')).toBe(30 * MB)
  })

  test('works as long as nothing is wrong', async () => {
    const blobs = open()
    await blobs.check()
    await blobs.write('imports/a', bytesOf('x'))
    await blobs.check()
    expect(await blobs.list('')).toEqual(['imports/a'])
  })
})

describe('a folder', () => {
  test('only its owner may read it', async () => {
    await folderBlobs(folder).write('imports/imp_1/0', bytesOf('secret'))
    const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8)
    expect(['', 'imports', 'imports/imp_1', 'imports/imp_1/0'].map(modeOf)).toEqual(['700', '700', '700', '600'])
  })

  test('folders that a removal empties go too, while others write beside', async () => {
    const blobs = folderBlobs(folder)
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        await blobs.write(`imports/a/${n}`, bytesOf('x'))
        await blobs.remove(`imports/a/${n}`)
      }),
    )
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('a/'))).toEqual([])
  })

  test('a process that is killed leaves nothing to see, and what it left is swept', async () => {
    const script = `
      const { folderBlobs } = await import(${JSON.stringify(join(import.meta.dir, '../src/base/blobs/folder-blobs.ts'))})
      let made = 0
      const stream = new ReadableStream({ async pull(c) {
        if (made++ < 5) return c.enqueue(new Uint8Array(1048576))
        console.log('half'); await new Promise(() => {})
      } })
      setInterval(() => {}, 1000)
      await folderBlobs(${JSON.stringify(folder)}).write('imports/a/0', stream)`
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
    const { value } = await child.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toBe('half\n')
    child.kill(9)
    await child.exited
    const blobs = folderBlobs(folder)
    expect([await blobs.list(''), await blobs.size('imports/a/0')]).toEqual([[], null])
    const [left = ''] = readdirSync(join(folder, 'imports/a'))
    const { mtimeMs, mode } = statSync(join(folder, 'imports/a', left))
    expect((mode & 0o777).toString(8)).toBe('600')
    await blobs.write('imports/b', bytesOf('kept'))
    expect(await blobs.sweepUnfinished(mtimeMs)).toBe(0)
    expect(await blobs.sweepUnfinished(mtimeMs + 1000)).toBe(1)
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['imports', 'imports/b'])
  })

  test('a file in the place of the folder: unavailable', async () => {
    writeFileSync(folder, '')
    const blobs = folderBlobs(folder)
    for (const call of [() => blobs.write('a', bytesOf('x')), () => blobs.size('a'), () => blobs.remove('a')])
      expect(call).toThrow(BlobsUnavailable)
    expect(() => blobs.list('')).toThrow(BlobsUnavailable)
  })

  test('a full disk: unavailable, and nothing is left', async () => {
    const deployments = new Deployments()
    const small = deployments.smallDisk()
    try {
      const target = small === null ? null : folderBlobs(join(small, 'blobs'))
      const thrown = await target?.write('imports/a', pieces(20)).catch((error) => error)
      if (target === null) return // This process may not mount a small disk.
      expect(thrown).toBeInstanceOf(BlobsUnavailable)
      expect(thrown.message).toContain('ENOSPC')
      expect(readdirSync(small ?? '', { recursive: true }).sort()).toEqual(['blobs'])
    } finally {
      await deployments.end()
    }
  })

  test('a folder without the right to write is found by the check', async () => {
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    if (process.getuid?.() === 0) return // Root may write everywhere.
    expect(() => folderBlobs(folder).check()).toThrow(BlobsUnavailable)
  })
})

describe('a bucket', () => {
  const open = (more: { accessKeyId?: string; prefix?: string } = {}, patienceMs?: number) =>
    bucketBlobs({ ...BUCKET, prefix: '', endpoint: server.url, sessionToken: null, ...more }, patienceMs)

  test('objects are below the prefix, and others are not seen', async () => {
    await open({ prefix: 'svc' }).write('imports/a', bytesOf('x'))
    await open().write('svc-other/a', bytesOf('y'))
    expect([...server.objects.keys()].sort()).toEqual(['kept/svc-other/a', 'kept/svc/imports/a'])
    expect(await open({ prefix: 'svc' }).list('')).toEqual(['imports/a'])
  })

  test.each([401, 403, 404, 500, 503])('status %d: unavailable, and never a blob that is not there', async (status) => {
    server.fault = () => refusal(status, status === 404 ? 'NoSuchBucket' : 'Refused')
    const blobs = open()
    const calls = [() => blobs.write('a', bytesOf('x')), () => blobs.write('a', pieces(20)), () => blobs.check()]
    for (const call of [...calls, () => blobs.remove('a'), () => blobs.list('')]) expect(call).toThrow(BlobsUnavailable)
    if (status !== 404) expect(() => blobs.size('a')).toThrow(BlobsUnavailable)
  })

  test('a wrong key, and an address where nothing listens: unavailable', async () => {
    expect(() => open({ accessKeyId: 'OTHER' }).write('a', bytesOf('x'))).toThrow(BlobsUnavailable)
    const gone = bucketBlobs({ ...BUCKET, prefix: '', endpoint: 'http://127.0.0.1:9', sessionToken: null })
    for (const call of [() => gone.write('a', bytesOf('x')), () => gone.size('a'), () => gone.check()])
      expect(call).toThrow(BlobsUnavailable)
    expect(server.objects.size).toBe(0)
  })

  test('a part that is refused stops the source, and the other parts are taken back', async () => {
    server.fault = ({ query }) => (query.includes('partNumber=2') ? refusal(500, 'InternalError') : null)
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(MB)),
      cancel: () => {
        isCancelled = true
      },
    })
    expect(
      await open()
        .write('a', endless)
        .catch((error) => error),
    ).toBeInstanceOf(BlobsUnavailable)
    expect(isCancelled).toBe(true)
    expect(server.objects.size).toBe(0)
  })

  test('one that does not answer is given up', async () => {
    server.fault = () => new Promise(() => {})
    const blobs = open({}, 50)
    for (const call of [
      () => blobs.write('a', bytesOf('x')),
      () => blobs.write('a', pieces(20)),
      () => blobs.size('a'),
    ])
      expect(call).toThrow(BlobsUnavailable)
  })

  test('a source may take longer than the bucket', async () => {
    const silent = bucketServer('AK')
    silent.fault = () => new Promise(() => {})
    const waiting = bucketBlobs({ ...BUCKET, prefix: '', endpoint: silent.url, sessionToken: null }, 100)
    const givenUp = () => waiting.size('a').catch(() => {})
    const parts = ['a', 'b', 'c']
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await givenUp()
        const next = parts.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(next))
      },
    })
    expect(await open({}, 80).write('a', slow)).toMatchObject({ bytes: 3 })
    expect(server.text('kept/a')).toBe('abc')
  })
})
