import { expect, test } from 'bun:test'
import { readCsv } from './csv-read'

const cases: [text: string, records: string[][] | null][] = [
  ['', []],
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a,b\nc', [['a', 'b'], ['c']]],
  ['\ufeffa\n', [['a']]],
  ['"a,""b""\n",c\n', [['a,"b"\n', 'c']]],
  [
    'a,\n,b\n',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a,', [['a', '']]],
  ['\n', [['']]],
  ['"a"b,c', [['ab', 'c']]],
  ['"a', null],
  ['a\n"b""', null],
]
for (const [text, records] of cases)
  test(`the table ${JSON.stringify(text)}`, () => expect(readCsv(text)).toEqual(records))

test('a long table takes no more than its length', () => {
  expect(readCsv('"a""",b\n'.repeat(200_000))).toHaveLength(200_000)
})
