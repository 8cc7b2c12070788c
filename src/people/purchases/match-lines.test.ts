import { describe, expect, test } from 'bun:test'
import { type HeldLine, matchLines, type ReportedLine } from './match-lines'

const held = (id: string, lineKey: string, more: Partial<HeldLine> = {}): HeldLine => ({
  ...{ id, lineKey, formerLineKeys: null, storeProductId: `price_${lineKey}`, pendingStoreProductId: null },
  ...{ isEnded: false, isOver: false },
  ...more,
})
const line = (lineKey: string, more: Partial<ReportedLine> = {}): ReportedLine => ({
  ...{ lineKey, storeProductId: `price_${lineKey}`, isPresent: true },
  ...more,
})

const cases: [
  name: string,
  held: HeldLine[],
  reported: ReportedLine[],
  inOrder: boolean,
  pairs: (string | null)[][],
][] = [
  [
    'a line is known by its key',
    [held('p1', 'a')],
    [line('b'), line('a')],
    true,
    [
      ['p1', 'a'],
      [null, 'b'],
    ],
  ],
  ['a key of before counts', [held('p1', 'b', { formerLineKeys: ['a'] })], [line('a')], true, [['p1', 'a']]],
  [
    'a row without a key takes the line of its product',
    [held('p1', '', { storeProductId: 'price_b' })],
    [line('a'), line('b')],
    true,
    [
      ['p1', 'b'],
      [null, 'a'],
    ],
  ],
  ['a line that comes while another goes replaces it', [held('p1', 'a')], [line('b')], true, [['p1', 'b']]],
  [
    'but not at a store that announces it',
    [held('p1', 'a')],
    [line('b')],
    false,
    [
      ['p1', 'a'],
      [null, 'b'],
    ],
  ],
  [
    'an announced product replaces a line whose end has passed',
    [held('p1', 'a', { isOver: true, pendingStoreProductId: 'b' })],
    [line('b', { storeProductId: 'b:monthly' })],
    false,
    [['p1', 'b']],
  ],
  [
    'an ended line is not replaced',
    [held('p1', 'a', { isEnded: true, isOver: true })],
    [line('b')],
    true,
    [
      ['p1', 'a'],
      [null, 'b'],
    ],
  ],
  [
    'a line that is past its end is not either',
    [held('p1', 'a', { isOver: true })],
    [line('b')],
    true,
    [
      ['p1', 'a'],
      [null, 'b'],
    ],
  ],
  [
    'of two that come and two that go the first replaces the first',
    [held('p1', 'a'), held('p2', 'b')],
    [line('c'), line('d')],
    true,
    [
      ['p1', 'c'],
      ['p2', 'd'],
    ],
  ],
  [
    'a removed item with earlier charges stays a line',
    [],
    [line('a'), line('b', { isPresent: false })],
    true,
    [
      [null, 'a'],
      [null, 'b'],
    ],
  ],
]

describe('which recorded lines the reported ones are', () => {
  for (const [name, before, reported, inOrder, pairs] of cases)
    test(name, () =>
      expect(matchLines(before, reported, inOrder).map((one) => [one.heldId, one.lineKey])).toEqual(pairs),
    )
})
