import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { JsonLineScanner } from './json-lines'
import { MAX_RECORD_BYTES } from './records'

const HEADERS = ['a', 'b', 'c']

/** Reads a text in parts of a size: line, fault and fields of each record, and where each ends. */
function read(text: string | Uint8Array, partBytes = 1 << 16, from = { offset: 0, line: 1 }) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const scanner = new JsonLineScanner(HEADERS, from)
  const records: unknown[][] = []
  const ends: { offset: number; line: number }[] = []
  const take = () => {
    while (scanner.next()) {
      records.push([scanner.line, scanner.fault, ...HEADERS.map((_, at) => scanner.field(at))])
      ends.push({ offset: scanner.offset, line: scanner.nextLine })
    }
  }
  for (let at = from.offset; at < bytes.length; at += partBytes) {
    scanner.add(bytes.subarray(at, at + partBytes))
    take()
  }
  scanner.end()
  take()
  return { records, ends }
}

const cases: [name: string, text: string, records: unknown[][]][] = [
  [
    'texts, numbers, truth values and null',
    '{"a":"x","b":9.5,"c":true}\n{"a":null,"b":0}\n',
    [
      [1, null, 'x', '9.5', 'true'],
      [2, null, '', '0', ''],
    ],
  ],
  ['members in any order, objects as JSON', '{"c":{"k":"v"},"a":["x"]}', [[1, null, '["x"]', '', '{"k":"v"}']]],
  ['integers of 64 bits keep their digits', '{"a":9007199254740993}', [[1, null, '9007199254740993', '', '']]],
  [
    'CRLF and empty lines',
    '\r\n{"a":"x"}\r\n\n{"a":"y"}',
    [
      [2, null, 'x', '', ''],
      [4, null, 'y', '', ''],
    ],
  ],
  ['what is no object', '[1]\n"x"\nnull\n{"a":\n', [1, 2, 3, 4].map((line) => [line, 'NO_OBJECT', '', '', ''])],
  [
    'a member that the header does not have',
    '{"z":1}\n{"a":"x"}',
    [
      [1, 'STRANGE_MEMBER', '', '', ''],
      [2, null, 'x', '', ''],
    ],
  ],
  ['a NUL and half a character', '{"a":"\\u0000","b":"\\ud800","c":"x"}', [[1, null, null, null, 'x']]],
  ['names of the prototype are no members', '{"__proto__":{"a":"x"}}', [[1, 'STRANGE_MEMBER', '', '', '']]],
]
for (const [name, text, records] of cases) test(name, () => expect(read(text).records).toEqual(records))

test('an object that nests beyond all reason costs its line, and no time', () => {
  const deep = (count: number) => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`
  const { records } = read(`${deep(100_000)}\n${deep(60)}\n{"a":"${'['.repeat(1000)}","b":"\\"[["}\n`)
  expect(records.map(([line, fault]) => [line, fault])).toEqual([
    [1, 'NO_OBJECT'],
    [2, null],
    [3, null],
  ])
})

test('bytes that are not UTF-8 cost their line', () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"a":"x"}\n')])
  expect(read(bytes).records).toEqual([
    [1, 'NOT_UTF8', '', '', ''],
    [2, null, 'x', '', ''],
  ])
})

test('a line that is too long costs one row, however it arrives, and the line numbers stay right', () => {
  const text = `{"a":"x"}\n{"a":"${'y'.repeat(3 * MAX_RECORD_BYTES)}"}\n{"a":"z"}\n`
  const expected = [
    [1, null, 'x', '', ''],
    [2, 'TOO_LONG', '', '', ''],
    [3, null, 'z', '', ''],
  ]
  for (const bytes of [1 << 12, 1 << 16, 1 << 24]) expect(read(text, bytes).records).toEqual(expected)
})

test('law: rows are read alike in parts of any size and from the end of any record', () => {
  const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null))
  const row = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), fc.nat(), (rows, partBytes, at) => {
      const text = rows.map((one) => `${JSON.stringify(one)}\n`).join('')
      const { records, ends } = read(text)
      expect(records).toHaveLength(rows.length)
      expect(read(text, partBytes).records).toEqual(records)
      const from = ends[at % Math.max(1, ends.length)]
      if (from) expect(read(text, partBytes, from).records).toEqual(records.slice((at % ends.length) + 1))
    }),
  )
})
