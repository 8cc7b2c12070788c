import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { sha256Hex } from '../../src/base/lib/hash'
import { importCommand } from '../../src/moving/imports/commands/command'
import { exportCommand } from '../../src/moving/project-file/export-command'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { freshFolder } from '../support/exports'
import { fontFiles, load, mp4, png, sent } from '../support/files'
import { dataOf } from '../support/operator'
import { staff } from '../support/staff'

// Pictures, videos and fonts go along with a moved project, in a file beside that of its rows.

let s: Stage
let file: string
let urls: string[]

beforeAll(async () => {
  s = await stage()
  const dev = staff(s).as('DEVELOPER')
  const picture = await sent(s, '/assets/image?name=hills.png', await png(700, 350))
  const video = await sent(s, '/assets/video?name=walk.mp4', mp4(64, 36, 400_000))
  const family = await dataOf(dev.post('/fonts/families', { name: 'Geist' }))
  const face = await sent(s, `/fonts/families/${family.id}/faces?weight=400`, (await fontFiles()).woff2)
  urls = [picture.url, `${picture.url}?w=320`, video.url, face.url]
  file = join(freshFolder(), 'project.svc.gz')
  const ran = await runBeside(s, exportCommand, '--project', s.project.id, '--with-data', '-o', file, '--json')
  expect(JSON.parse(ran.out)).toMatchObject({ files: { file: `${file}.files`, files: 7 }, left: [] })
})
afterAll(() => s.close())

/** A copy of the two files, so that a test can damage its own. */
function copied(): string {
  const copy = join(freshFolder(), 'copy.svc.gz')
  for (const end of ['', '.files']) writeFileSync(copy + end, readFileSync(file + end))
  return copy
}

/** Imports into a server that has no files. */
async function arrived(
  from: string,
  work: (other: Stage, ran: Awaited<ReturnType<typeof runBeside>>) => Promise<void>,
) {
  const other = await stage()
  try {
    // Every stage has a project of this id; the imported one takes its place.
    const { projects: p } = other.ctx.tables
    await other.ctx.write(async (tx) => {
      await tx.db.update(p).set({ suspendedAt: 1 }).where(eq(p.id, other.project.id))
    })
    await work(other, await runBeside(other, importCommand, from, '--replace', '--json'))
  } finally {
    await other.close()
  }
}

const statusesOf = (other: Stage) => Promise.all(urls.map(async (url) => (await load(other, url)).status))

test('every form of a picture, a video and a font is there, byte for byte', async () => {
  await arrived(copied(), async (other, ran) => {
    expect([ran.err, JSON.parse(ran.out).files]).toEqual(['', { stored: 7, missing: 0 }])
    for (const url of urls) {
      const [from, to] = [await load(s, url), await load(other, url)]
      expect([to.status, Buffer.from(to.bytes).equals(from.bytes)]).toEqual([200, true])
    }
  })
})

test('without the file beside, the rows are imported, and the import says what is not here', async () => {
  const copy = copied()
  renameSync(`${copy}.files`, `${copy}.elsewhere`)
  await arrived(copy, async (other, ran) => {
    expect(JSON.parse(ran.out).files).toEqual({ stored: 0, missing: 7 })
    expect(await statusesOf(other)).toEqual([404, 404, 404, 404])
  })
})

test('a file beside that is cut off stops the import before anything is stored', async () => {
  const copy = copied()
  truncateSync(`${copy}.files`, 5000)
  await arrived(copy, async (other, ran) => {
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('copy.svc.gz.files: its end is missing')
    expect(await statusesOf(other)).toEqual([404, 404, 404, 404])
  })
})

/** A copy whose file beside has other files, with a right end. */
function withFiles(keys: readonly string[]): string {
  const copy = copied()
  const page = Buffer.from('<script>alert(1)</script>')
  const lines = [
    { format: 'svc-files', formatVersion: 1 },
    ...keys.flatMap((key) => [{ key }, { bytes: page.toString('base64') }, { sha256: sha256Hex(page) }]),
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const footer =
    gunzipSync(readFileSync(`${copy}.files`))
      .toString()
      .trimEnd()
      .split('\n')
      .at(-1) ?? ''
  const end = footer
    .replace(/"rows":\d+/, `"rows":${lines.length - 1}`)
    .replace(/"sha256":"\w+"/, `"sha256":"${sha256Hex(Buffer.from(text))}"`)
  writeFileSync(`${copy}.files`, gzipSync(`${text}${end}\n`))
  return copy
}

test('bytes that are not those of the row, and files that no row names, are left out', async () => {
  const [, id] = /(ast_\w+)/.exec(urls[2] ?? '') ?? []
  const copy = withFiles([`assets/${s.project.id}/${id}/main`, 'assets/other/ast_1/main'])
  await arrived(copy, async (other, ran) => {
    expect([ran.err, JSON.parse(ran.out).files]).toEqual(['', { stored: 0, missing: 7 }])
    expect(await statusesOf(other)).toEqual([404, 404, 404, 404])
  })
})

test('a file beside that names a place outside of the folder is refused whole', async () => {
  await arrived(withFiles(['../../etc/passwd']), async (other, ran) => {
    expect(ran.code).toBe(1)
    expect(ran.out + ran.err).toContain('copy.svc.gz.files: it was changed or damaged')
    expect(await statusesOf(other)).toEqual([404, 404, 404, 404])
  })
})

test('a project without files has no file beside, and takes the one of an earlier export away', async () => {
  const plain = join(freshFolder(), 'plain.svc.gz')
  writeFileSync(`${plain}.files`, 'old')
  const ran = await runBeside(s, exportCommand, '--project', s.other.id, '--with-data', '-o', plain, '--json')
  expect([ran.err, JSON.parse(ran.out).files]).toEqual(['', null])
  expect(existsSync(`${plain}.files`)).toBe(false)
})
