import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Blobs, BlobsUnavailable } from '../../src/base/blobs/blobs'
import { MAX_UPLOAD_BYTES } from '../../src/moving/imports/files/upload'
import { type Stage, stage } from '../support/cast'
import { type ImportStage, importStage, rowsOf } from '../support/import-stage'
import { zip } from '../support/zip'

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  i = importStage(s)
})
afterEach(() => s.close())

const HEADER = 'subscriberExternalId,store,productIdentifier,purchaseDate,price,currency,isSandbox'
const ROW = 'p1,ios_store,com.x.pro.monthly,2026-01-01 10:00:00,9.99,USD,false'

async function tried(content: string | Uint8Array, fileName = 'history.csv') {
  s.ctx.clock.advance(61_000) // Changes are limited to five a minute.
  const { id } = await i.make(content, { fileName })
  await i.act(id, 'dry-run')
  return i.worked(id)
}

/** Counts of a dry run: rows, valid, invalid; and where the faults are. */
async function outcome(content: string | Uint8Array) {
  const { counters, errors } = await tried(content)
  const places = errors.map(({ line, column }: { line: number; column: string | null }) => [line, column])
  return [counters.rows, counters.valid, counters.invalid, ...places]
}

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

const text = (...rows: string[]) => [HEADER, ...rows, ''].join('\n')

describe('wrong encodings', () => {
  test('UTF-8 and UTF-16 with their marks are read alike', async () => {
    const rows = text('ünï_😀,ios_store,com.x.pro.monthly,2026-01-01,1,USD,0')
    for (const content of [rows, `\ufeff${rows}`, utf16(rows), utf16(rows, true)])
      expect(await outcome(content)).toEqual([1, 1, 0])
  })

  test('a row that is not UTF-8 is named by its line, and the others are read', async () => {
    const bytes = Buffer.concat([Buffer.from(text(ROW)), Buffer.from([0xfc]), Buffer.from(`${ROW}\n${ROW}\n`)])
    expect(await outcome(bytes)).toEqual([3, 2, 1, [3, 'subscriberExternalId']])
  })

  test('half a character of UTF-16 and a NUL are named by their line', async () => {
    const broken = Buffer.concat([utf16(text(ROW)), Buffer.from([0x00, 0xd8]), Buffer.from(`${ROW}\n`, 'utf16le')])
    expect(await outcome(broken)).toEqual([2, 1, 1, [3, 'subscriberExternalId']])
    expect(await outcome(text(ROW, `a\0${ROW}`))).toEqual([2, 1, 1, [3, 'subscriberExternalId']])
  })
})

test('mixed line ends and quotes across lines keep the numbers of the lines', async () => {
  const content = `${HEADER}\r\n${ROW}\r"p\r\n2",ios_store,x,2026-01-01,1,USD,0\n\n${ROW.replace('9.99', 'x')}`
  expect(await outcome(content)).toEqual([3, 2, 1, [6, 'price']])
})

test('attributes that nest beyond all reason cost their row, not the import', async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const quoted = (attributes: string) => `p1,ios_store,x,2026-01-01,"${attributes.replaceAll('"', '""')}"`
  const header = 'subscriberExternalId,store,productIdentifier,purchaseDate,attributes'
  const content = `${header}\n${quoted(deep)}\n${quoted('{"mood":"fine"}')}\n`
  expect(await outcome(content)).toEqual([2, 1, 1, [2, 'attributes']])
})

test('semicolons and tabs separate too', async () => {
  for (const separator of [';', '\t']) {
    expect(await outcome(text(ROW).replaceAll(',', separator))).toEqual([1, 1, 0])
  }
})

test('a quote that is never closed costs one row', async () => {
  expect(await outcome(text(ROW, `"${ROW}`, ROW, ROW))).toEqual([4, 3, 1, [3, null]])
})

test('a row with too few and one with too many fields are named', async () => {
  expect(await outcome(text('a,b', `${ROW},more`, ROW))).toEqual([3, 1, 2, [2, null], [3, null]])
})

test('dates in eight forms are one date', async () => {
  const forms = [
    ...['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z', '2026-01-01T02:00:00+02:00', '2026-01-01 00:00:00'],
    ...['2025-12-31 19:00:00-0500', '2026-01-01', '1767225600', '1767225600000'],
  ]
  const { id } = await tried(text(...forms.map((form) => ROW.replace('2026-01-01 10:00:00', form))))
  let dates: (number | null)[] = []
  const { commitBatch } = i.steps
  s.ctx.state.importSteps = {
    ...i.steps,
    commitBatch(tx, project, job, rows) {
      dates = rows.map(({ purchaseDate }) => purchaseDate)
      return commitBatch(tx, project, job, rows)
    },
  }
  await i.act(id, 'commit')
  await i.worked(id)
  expect(dates).toEqual(forms.map(() => Date.UTC(2026, 0, 1)))
})

test('prices with commas are read, and what is no price is named', async () => {
  const priced = (price: string) => ROW.replace('9.99', `"${price}"`)
  expect(await outcome(text(priced('9,99'), priced('1.234,56'), priced('free')))).toEqual([3, 2, 1, [4, 'price']])
})

test('ids with spaces stay as they are; an id of spaces is none', async () => {
  const { id } = await tried(text(` p 1 ${ROW.slice(2)}`, `   ${ROW.slice(2)}`))
  await i.act(id, 'commit')
  expect((await i.worked(id)).errors).toMatchObject([{ line: 3, column: 'subscriberExternalId' }])
  expect(i.steps.batches[0]?.people).toEqual([' p 1 '])
})

test('sandbox rows are left out, or read when that is wanted', async () => {
  const sandbox = ROW.replace('false', 'true')
  const job = await tried(text(ROW, sandbox))
  expect(job.counters).toMatchObject({ rows: 2, valid: 2, skipped: 1 })
  await i.team.as('ADMIN').patch(`/imports/${job.id}/mapping`, { options: { skipSandbox: false } })
  await i.act(job.id, 'dry-run')
  expect((await i.worked(job.id)).counters).toMatchObject({ rows: 2, valid: 2, skipped: 0 })
})

test('rows without an anchor are left out when that is wanted', async () => {
  const { id } = await i.make(text(ROW))
  await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, { options: { importAnchorless: false } })
  await i.act(id, 'dry-run')
  expect((await i.worked(id)).counters).toMatchObject({ rows: 1, skipped: 1 })
})

describe('texts that are too long', () => {
  const long: [name: string, row: string, column: string][] = [
    ['an id', ROW.replace('p1', 'x'.repeat(256)), 'subscriberExternalId'],
    ['a product', ROW.replace('com.x.pro.monthly', 'x'.repeat(256)), 'productIdentifier'],
  ]
  test.each(long)('%s of 256 characters', async (_name, row, column) => {
    expect(await outcome(text(row))).toEqual([1, 0, 1, [2, column]])
  })
})

describe('packed files', () => {
  test('gzip is read as it is, also put together of several', async () => {
    const parts = [text(ROW), `${ROW}\n`].map((part) => Bun.gzipSync(Buffer.from(part)))
    expect(await outcome(Buffer.concat(parts))).toEqual([2, 2, 0])
  })

  test('the CSV files of a zip file are read one after another', async () => {
    const content = zip([
      ['a.csv', text(ROW, 'x')],
      ['__MACOSX/a.csv', 'junk'],
      ['folder/', ''],
      ['folder/b.csv', text(ROW)],
    ])
    const job = await tried(content, 'both.zip')
    expect(job.counters).toMatchObject({ rows: 3, valid: 2, invalid: 1 })
    expect(job.bytes).toBe(content.length)
    expect((await i.report(job.id)).body.split('\r\n')[1]).toMatch(/^a\.csv,3,,/)
  })

  const refused: [name: string, content: () => Uint8Array, says: RegExp][] = [
    ['without a CSV file', () => zip([['a.xml', '<a/>']]), /no file whose name ends with .csv/],
    [
      'with another zip file',
      () =>
        zip([
          ['a.csv', 'a'],
          ['b.zip', 'PK'],
        ]),
      /another packed file/,
    ],
    ['with a packed CSV', () => zip([['a.csv', Bun.gzipSync(Buffer.from(text(ROW)))]]), /another packed file/],
    [
      'with different columns',
      () =>
        zip([
          ['a.csv', 'a,b\n'],
          ['b.csv', 'a,c\n'],
        ]),
      /different columns/,
    ],
    ['whose entries lie at the same bytes', () => zip([['a.csv', text(ROW)]], undefined, 3), /overlap each other/],
    [
      'whose entries unpack to far more together',
      () =>
        zip(
          Array.from({ length: 8 }, (_, n) => [`${n}.csv`, text(ROW)]),
          60_000_000,
        ),
      /far more than its size/,
    ],
    ['that unpacks to far more', () => zip([['a.csv', 'a\n']], 1_000_000_000), /far more than its size/],
  ]
  test.each(refused)('a zip file %s is refused', async (_name, content, says) => {
    const answer = await i.upload(content())
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.message).toMatch(says)
    expect(i.blobs.held.size).toBe(0)
  })

  test('a gzip bomb ends the dry run with a sentence', async () => {
    const bomb = Bun.gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(100_000_000, 'x')]))
    expect(await tried(bomb)).toMatchObject({
      status: 'FAILED',
      failure: expect.stringMatching(/far more than its size/),
    })
  })
})

describe('a file beyond 2 GiB', () => {
  test('is refused, and no more of it is taken', async () => {
    let taken = 0
    s.ctx.state.blobs = discarding()
    const part = new Uint8Array(8 * 1024 * 1024)
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          taken += part.length
          controller.enqueue(part)
        },
      },
      { highWaterMark: 0 },
    )
    const answer = await s.app.handle(
      new Request(`http://localhost/dashboard/projects/${s.project.id}/imports`, {
        ...{ method: 'POST', body },
        headers: { cookie: 'svc_session=ADMIN', origin: 'http://localhost', 'content-type': 'text/csv' },
      }),
    )
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: { code: 'IMPORT_FILE_TOO_LARGE' } })
    expect(taken).toBeLessThanOrEqual(MAX_UPLOAD_BYTES + 3 * part.length)
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toEqual([])
  })

  /** Takes everything and keeps nothing. */
  const discarding = (): Blobs => ({
    ...i.blobs,
    async write(_key, bytes) {
      for await (const _part of bytes);
      return { bytes: 0, sha256: '' }
    },
  })
})

test('a disk that is full in the middle of an upload leaves nothing', async () => {
  s.ctx.state.blobs = {
    ...i.blobs,
    async write(_key, bytes) {
      for await (const _part of bytes) throw new BlobsUnavailable('no space left on device')
      throw new Error('unreachable')
    },
  }
  const answer = await i.upload(rowsOf(1000))
  expect([answer.status, answer.body.error.code]).toEqual([503, 'IMPORT_STORAGE_UNAVAILABLE'])
  expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toEqual([])
})

test('a disk that is full while the report is written fails the dry run', async () => {
  const { id } = await i.make(rowsOf(3, () => 'x'))
  await i.act(id, 'dry-run')
  const { write } = i.blobs
  s.ctx.state.blobs = {
    ...i.blobs,
    write: (key, bytes) =>
      key.endsWith('report') ? Promise.reject(new BlobsUnavailable('no space left on device')) : write(key, bytes),
  }
  expect(await i.worked(id)).toMatchObject({ status: 'FAILED', failure: expect.stringMatching(/no space left/) })
})
