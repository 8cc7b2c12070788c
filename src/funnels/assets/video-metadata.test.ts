import { describe, expect, test } from 'bun:test'
import type { VideoFormat } from './formats'
import { withoutMetadata } from './video-metadata'

const latin = (text: string) => Buffer.from(text, 'latin1')
const zeros = (bytes: number) => Buffer.alloc(bytes)

async function* inParts(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Cleans a file however it is cut into parts; the answer must not depend on that. */
async function clean(format: VideoFormat, bytes: Buffer) {
  const cleaned = { hadMetadata: false }
  const answers = []
  for (const size of [1, 3, 7, 64, bytes.length || 1]) {
    const found = await Array.fromAsync(withoutMetadata(format, inParts(bytes, size), cleaned))
    answers.push(Buffer.concat(found))
  }
  for (const answer of answers) expect(answer.equals(answers[0] ?? zeros(0))).toBe(true)
  return { bytes: answers[0] ?? zeros(0), ...cleaned }
}

describe('an MP4', () => {
  const box = (name: string, ...content: Buffer[]) => {
    const body = Buffer.concat(content)
    const head = zeros(8)
    head.writeUInt32BE(body.length + 8)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const longBox = (name: string, content: Buffer) => {
    const head = zeros(16)
    head.writeUInt32BE(1)
    head.write(name, 4, 'latin1')
    head.writeBigUInt64BE(BigInt(content.length + 16), 8)
    return Buffer.concat([head, content])
  }
  const place = latin('+52.5200+013.4050/')
  const ftyp = box('ftyp', latin('isom\0\0\0\0isom'))
  const dates = Buffer.from('e0000001e0000002', 'hex')
  const rest = latin('a time scale and so on')
  const dated = (name: string, instants = dates) => box(name, zeros(4), instants, rest)
  const data = box('mdat', box('udta', place)) // Pictures can look like a box.

  test('loses place, camera and dates, and nothing of it moves', async () => {
    const tables = box('minf', box('udta', place)) // Its place in the file is none where players look for it.
    const film = (udta: Buffer, meta: Buffer, uuid: Buffer, instants?: typeof dates) =>
      Buffer.concat([
        ...[ftyp, data, uuid],
        box(
          'moov',
          ...[dated('mvhd', instants), udta, meta],
          box('trak', dated('tkhd', instants), box('mdia', dated('mdhd', instants), tables), udta),
        ),
      ])
    const given = film(box('udta', box('\xa9xyz', place)), longBox('meta', place), box('uuid', place))
    const { bytes, hadMetadata } = await clean('mp4', given)
    const long = longBox('free', zeros(place.length))
    const wanted = film(box('free', zeros(place.length + 8)), long, box('free', zeros(place.length)), zeros(8))
    expect(bytes.toString('latin1')).toBe(wanted.toString('latin1'))
    expect([hadMetadata, bytes.length]).toEqual([true, given.length])
  })

  test('with dates of 8 bytes loses both', async () => {
    const version = Buffer.from([1, 0, 0, 0])
    const film = (instants: Buffer) => Buffer.concat([ftyp, box('moov', box('mvhd', version, instants, rest))])
    const { bytes, hadMetadata } = await clean('mp4', film(Buffer.alloc(16, 7)))
    expect(bytes.equals(film(zeros(16)))).toBe(true)
    expect(hadMetadata).toBe(false)
  })

  test('in fragments keeps what is needed to play it', async () => {
    const film = (meta: Buffer) =>
      Buffer.concat([ftyp, box('moof', meta, box('traf', box('uuid', latin('keys')), box('trun', rest))), data])
    const { bytes } = await clean('mp4', film(box('meta', place)))
    expect(bytes.equals(film(box('free', zeros(place.length))))).toBe(true)
  })

  test('whose last box is as long as the file is cleaned to its end', async () => {
    const open = (inner: Buffer) => Buffer.concat([ftyp, zeros(4), latin('moov'), inner])
    const { bytes } = await clean('mp4', open(box('udta', place)))
    expect(bytes.equals(open(box('free', zeros(place.length))))).toBe(true)
  })

  test('with more than 16 containers in each other is not looked into below them', async () => {
    const nested = (depth: number, inner: Buffer): Buffer =>
      depth === 0 ? inner : nested(depth - 1, box('moov', inner))
    const deep = (depth: number, udta: Buffer) => Buffer.concat([ftyp, nested(depth, udta), box('udta', place)])
    const free = box('free', zeros(place.length))
    const behind = (found: Buffer) => found.subarray(-free.length).toString('latin1')
    const looked = await clean('mp4', deep(16, box('udta', place)))
    expect([looked.bytes.includes(place), behind(looked.bytes)]).toEqual([false, free.toString('latin1')])
    const left = await clean('mp4', deep(17, box('udta', place)))
    expect([left.bytes.includes(place), behind(left.bytes)]).toEqual([true, free.toString('latin1')])
  })

  test.each<[string, Buffer]>([
    ['that says nothing', Buffer.concat([ftyp, data, box('moov', dated('mvhd', zeros(8)))])],
    ['with padding at the end of a container', Buffer.concat([ftyp, box('moov', box('free'), zeros(4)), data])],
    ['that is cut off', Buffer.concat([ftyp, box('moov', box('trak', rest)).subarray(0, 20)])],
    ['whose box leaves its container', Buffer.concat([ftyp, box('moov', box('trak', rest).subarray(0, 12)), data])],
    ['whose box is shorter than its head', Buffer.concat([ftyp, Buffer.from([0, 0, 0, 3]), latin('moov'), data])],
    ['with nothing in it', zeros(0)],
  ])('%s is kept as it is', async (_what, given) => {
    const { bytes, hadMetadata } = await clean('mp4', given)
    expect([bytes.toString('latin1'), hadMetadata]).toEqual([given.toString('latin1'), false])
  })
})

describe('a WebM', () => {
  /** An element whose size takes so many bytes. */
  const element = (id: string, content: Buffer, sizeLength = 1) => {
    const size = (BigInt(content.length) | (1n << BigInt(7 * sizeLength))).toString(16).padStart(2 * sizeLength, '0')
    return Buffer.concat([Buffer.from(id + size, 'hex'), content])
  }
  const open = (id: string, content: Buffer) => Buffer.concat([Buffer.from(`${id}ff`, 'hex'), content])
  const ebml = element('1a45dfa3', element('4282', latin('webm')))
  const author = latin('Ada, Berlin')
  const cluster = (make: typeof open) => make('1f43b675', element('a3', element('1254c367', author)))
  const app = element('4d80', latin('muxer'))

  test.each<[string, typeof open]>([
    ['of known length', (id, content) => element(id, content, 8)],
    ['that was recorded live', open],
  ])('%s loses tags, files, title and date, and nothing of it moves', async (_what, make) => {
    const tags = element('1254c367', element('7373', author))
    const info = element('1549a966', Buffer.concat([element('bf', latin('sum!')), element('7ba9', author), app]), 8)
    const files = element('1941a469', author, 8)
    const parts = [info, cluster(make), tags, files, element('1c53bb6b', latin('index'))]
    const given = Buffer.concat([ebml, make('18538067', Buffer.concat(parts))])
    const { bytes, hadMetadata } = await clean('webm', given)
    expect([bytes.length, hadMetadata]).toEqual([given.length, true])
    const text = bytes.toString('latin1')
    for (const kept of ['muxer', 'index', ebml.toString('latin1'), cluster(make).toString('latin1')])
      expect(text).toContain(kept)
    expect(text.split('Ada, Berlin')).toHaveLength(2) // The one among the pictures.
    expect(text).not.toContain('sum!')
    const at = given.indexOf(tags)
    expect(bytes.subarray(at, at + tags.length)).toEqual(
      Buffer.concat([Buffer.from('ec', 'hex'), Buffer.from('1000000e', 'hex'), zeros(tags.length - 5)]),
    )
  })

  test.each<[string, Buffer]>([
    ['that says nothing', Buffer.concat([ebml, element('18538067', cluster(open), 8)])],
    ['that is cut off', Buffer.concat([ebml, element('18538067', app, 8).subarray(0, 14)])],
    ['with a byte that begins no element', Buffer.concat([ebml, Buffer.from([0]), element('1254c367', author)])],
    ['with nothing in it', zeros(0)],
  ])('%s is kept as it is', async (_what, given) => {
    const { bytes, hadMetadata } = await clean('webm', given)
    expect([bytes.toString('latin1'), hadMetadata]).toEqual([given.toString('latin1'), false])
  })
})
