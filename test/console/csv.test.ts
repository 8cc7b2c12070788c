import { describe, expect, test } from 'bun:test'
import { csvFile, csvLine } from '../../src/console/lib/csv'

/** The cells of a file that has no quoted line ends. */
const cellsOf = (parts: string[]): string[][] =>
  parts
    .join('')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

describe('a line of CSV', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\uff1d1', "'\uff1d1"],
    ["'=1", "''=1"],
  ])('%j is no formula', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })

  test('a text that begins with a line end is no formula either', () => {
    expect(csvLine(['\r=1'])).toBe('"\'\n=1"\r\n')
  })

  test('numbers and plain texts stay as they are', () => {
    expect(csvLine([-5, 1.5, true, null, undefined, 'a-b', "it's", ''])).toBe("-5,1.5,true,,,a-b,it's,\r\n")
  })

  test('commas, quotes and line ends are quoted', () => {
    expect(csvLine(['a,b', 'say "x"', 'one\ntwo', 'one\r\ntwo'])).toBe('"a,b","say ""x""","one\ntwo","one\ntwo"\r\n')
  })

  test('a list or an object is JSON, and guarded too', () => {
    expect(csvLine([{ a: 1 }])).toBe('"{""a"":1}"\r\n')
  })
})

describe('a file of objects', () => {
  test('members of objects and lists of words are columns', () => {
    const file = csvFile()
    file.add([{ id: 'a', price: { amountMicros: 1, currency: 'USD' }, tags: ['x', 'y'], rules: [{ n: 1 }] }])
    expect(file.end().join('')).toBe(
      'id,price.amountMicros,price.currency,tags,rules\r\na,1,USD,x; y,"[{""n"":1}]"\r\n',
    )
  })

  test('columns that come later make the earlier lines as long', () => {
    const file = csvFile()
    file.add([
      { id: 'a', note: 'one\r\ntwo' },
      { id: 'b', extra: 1 },
    ])
    file.add([{ id: 'c', late: 'z' }])
    expect(file.end().join('')).toBe('id,note,extra,late\r\na,"one\ntwo",,\r\nb,,1,\r\nc,,,z\r\n')
  })

  test('a member that is never set has a column; one that is an object elsewhere has its members only', () => {
    const file = csvFile()
    file.add([{ id: 'a', price: null, endedAt: null }])
    file.add([{ id: 'b', price: { currency: 'USD' }, endedAt: null }])
    expect(cellsOf(file.end())).toEqual([
      ['id', 'price.currency', 'endedAt'],
      ['a', '', ''],
      ['b', 'USD', ''],
    ])
  })

  test('names of columns that somebody chose are guarded', () => {
    const file = csvFile()
    file.add([{ '=cmd': 1, attributes: { '@x': '=2' } }])
    expect(cellsOf(file.end())).toEqual([
      ["'=cmd", 'attributes.@x'],
      ['1', "'=2"],
    ])
  })

  test('nothing but a header when there are no rows', () => {
    expect(csvFile().end()).toEqual(['\r\n'])
  })
})
