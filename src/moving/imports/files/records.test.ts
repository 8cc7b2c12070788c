import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_RECORD_BYTES, RecordScanner } from './records'

interface Read {
  line: number
  fields: (string | null)[]
  fault?: string
}

/** Reads a text in parts of a size, and notes where each record ends. */
function read(text: string | Uint8Array, partBytes = 1 << 16, separator = ',', from = { offset: 0, line: 1 }) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const scanner = new RecordScanner(separator, 64, from)
  const records: Read[] = []
  const ends: { offset: number; line: number }[] = []
  const take = () => {
    while (scanner.next()) {
      const fields = Array.from({ length: scanner.count }, (_, at) => scanner.field(at))
      records.push({ line: scanner.line, fields, ...(scanner.fault && { fault: scanner.fault }) })
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

const lines = (text: string) => read(text).records.map(({ line, fields }) => [line, ...fields])

const cases: [name: string, text: string, records: unknown[][]][] = [
  [
    'mixed line ends',
    'a,b\r\nc,d\re,f\ng,h',
    [
      [1, 'a', 'b'],
      [2, 'c', 'd'],
      [3, 'e', 'f'],
      [4, 'g', 'h'],
    ],
  ],
  [
    'quotes across lines',
    'a,"b\r\nc\nd"\ne,f\n',
    [
      [1, 'a', 'b\r\nc\nd'],
      [4, 'e', 'f'],
    ],
  ],
  ['doubled quotes', '"say ""hi""",b\n', [[1, 'say "hi"', 'b']]],
  ['a quote within a field', 'a"b,c"\n', [[1, 'a"b', 'c"']]],
  ['separators within quotes', '"a,b",c\n', [[1, 'a,b', 'c']]],
  [
    'empty fields',
    ',\n,,\n"",\n',
    [
      [1, '', ''],
      [2, '', '', ''],
      [3, '', ''],
    ],
  ],
  [
    'empty lines are counted and left out',
    'a\n\n\r\n\rb',
    [
      [1, 'a'],
      [5, 'b'],
    ],
  ],
  ['no line end at the end', 'a,b', [[1, 'a', 'b']]],
  ['a quote that ends the file', 'a,"b"', [[1, 'a', 'b']]],
  ['an empty quoted field that ends the file', 'a,""', [[1, 'a', '']]],
  ['a separator that ends the file', 'a,', [[1, 'a', '']]],
  ['characters beyond ASCII', 'ö,日本,😀\n', [[1, 'ö', '日本', '😀']]],
  ['spaces stay', ' a , b\n', [[1, ' a ', ' b']]],
]
test.each(cases)('%s', (_name, text, records) => {
  expect<unknown[]>(lines(text)).toEqual(records)
  for (const partBytes of [1, 2, 3, 5]) expect(read(text, partBytes)).toEqual(read(text))
})

describe('what is no text', () => {
  const faultOf = (bytes: number[]) => {
    const scanner = new RecordScanner(',', 8)
    scanner.add(new Uint8Array(bytes))
    scanner.end()
    scanner.next()
    return [scanner.field(0), scanner.fieldFault(0), scanner.field(1)]
  }
  const refused: [name: string, bytes: number[], says: string][] = [
    ['a byte of Latin-1', [0xfc], 'is not UTF-8'],
    ['half a character', [0xc3], 'is not UTF-8'],
    ['an overlong character', [0xc0, 0xaf], 'is not UTF-8'],
    ['half a surrogate pair', [0xed, 0xa0, 0x80], 'is not UTF-8'],
    ['a NUL', [97, 0, 98], 'has a NUL character'],
    ['a NUL within quotes', [34, 0, 34], 'has a NUL character'],
    ['a text behind a closing quote', [34, 97, 34, 98], 'has text behind its closing quote'],
  ]
  test.each(refused)('%s is named, and the next field is read', (_name, bytes, says) => {
    expect(faultOf([...bytes, 44, 120])).toEqual([null, says, 'x'])
  })
})

describe('a quote that is never closed', () => {
  test('costs its own line only', () => {
    const { records } = read('a,b\n"c,d\ne,f\ng,h\n')
    expect(records).toEqual([
      ...[
        { line: 1, fields: ['a', 'b'] },
        { line: 2, fields: [], fault: 'OPEN_QUOTE' },
      ],
      ...[
        { line: 3, fields: ['e', 'f'] },
        { line: 4, fields: ['g', 'h'] },
      ],
    ])
  })

  test('holds no more than a mebibyte of a large file', () => {
    const row = `${'x'.repeat(99)}\n`
    const { records } = read(`"open\n${row.repeat((3 * MAX_RECORD_BYTES) / 100)}`)
    expect(records[0]).toMatchObject({ line: 1, fault: 'TOO_LONG' })
    expect(records.slice(1).every(({ fields, fault }) => fields.length === 1 && !fault)).toBe(true)
    expect(records.at(-1)?.line).toBe(records.length)
  })
})

describe('a line without an end', () => {
  const text = `a,b\n${'x'.repeat(3 * MAX_RECORD_BYTES)}\r\nc,d\n"${'y'.repeat(MAX_RECORD_BYTES + 5)}"\ne,f\n`
  const expected = [
    { line: 1, fields: ['a', 'b'] },
    { line: 2, fields: [], fault: 'TOO_LONG' },
    { line: 3, fields: ['c', 'd'] },
    { line: 4, fields: [], fault: 'TOO_LONG' },
    { line: 5, fields: ['e', 'f'] },
  ]

  test('is one row that cannot be read, in parts of any size', () => {
    for (const bytes of [4096, 65_536, 100_003, 16 * MAX_RECORD_BYTES])
      expect(read(text, bytes).records).toEqual(expected)
  })

  test('ends with the file', () => {
    const { records } = read(`a\n${'x'.repeat(2 * MAX_RECORD_BYTES)}`)
    expect(records.map(({ line, fault }) => [line, fault])).toEqual([
      [1, undefined],
      [2, 'TOO_LONG'],
    ])
  })
})

test('more fields than there are columns are counted', () => {
  const scanner = new RecordScanner(',', 2)
  scanner.add(new TextEncoder().encode('1,2,3,4,5\n'))
  expect([scanner.next(), scanner.count, scanner.field(0), scanner.field(1)]).toEqual([true, 5, '1', '2'])
})

const quote = (field: string, separator: string) =>
  /["\r\n]/.test(field) || field.includes(separator) || field === '' ? `"${field.replaceAll('"', '""')}"` : field

test('law: what was written is read, in parts of any size and from the end of any record', () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\r', '\n', ' ', "'"), maxLength: 6 })
  const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
  const property = fc.property(
    ...([
      table,
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 9 }),
    ] as const),
    (rows, separator, lineEnd, partBytes) => {
      const text = rows.map((row) => row.map((one) => quote(one, separator)).join(separator) + lineEnd).join('')
      const whole = read(text, 1 << 16, separator)
      expect(whole.records.map(({ fields }) => fields)).toEqual(rows)
      expect(read(text, partBytes, separator)).toEqual(whole)
      for (const [at, end] of whole.ends.entries())
        expect(read(text, partBytes, separator, end).records).toEqual(whole.records.slice(at + 1))
    },
  )
  fc.assert(property, { seed: 7, numRuns: 400 })
})
