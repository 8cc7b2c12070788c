import { expect, test } from 'bun:test'
import { ownedAt, type PastTransfer } from './explain-ownership'

const move = (from: string, to: string, createdAt: number, undoneAt: number | null = null): PastTransfer => ({
  fromSubscriberId: from,
  toSubscriberId: to,
  moved: { purchaseIds: ['pur'] },
  createdAt,
  undoneAt,
})

const cases: [name: string, owner: string, transfers: PastTransfer[], at: number, isOwned: boolean][] = [
  ['what never moved is the owner’s', 'ada', [], 5, true],
  ['what never moved is nobody else’s', 'bo', [], 5, false],
  ['before it came it was not owned', 'ada', [move('bo', 'ada', 10)], 9, false],
  ['at the instant of the move it is owned', 'ada', [move('bo', 'ada', 10)], 10, true],
  ['before it went it was owned', 'bo', [move('ada', 'bo', 10)], 9, true],
  ['at the instant of the move it is gone', 'bo', [move('ada', 'bo', 10)], 10, false],
  ['while a transfer that was undone held, it was gone', 'ada', [move('ada', 'bo', 10, 20)], 15, false],
  ['from the undo on it is owned again', 'ada', [move('ada', 'bo', 10, 20)], 20, true],
  ['came and went: owned between', 'cy', [move('bo', 'ada', 10), move('ada', 'cy', 20)], 15, true],
  ['came and went: not before', 'cy', [move('bo', 'ada', 10), move('ada', 'cy', 20)], 5, false],
  ['came and went: not after', 'cy', [move('bo', 'ada', 10), move('ada', 'cy', 20)], 25, false],
]
for (const [name, owner, transfers, at, isOwned] of cases)
  test(name, () => expect(ownedAt('ada', { id: 'pur', subscriberId: owner }, transfers, at)).toBe(isOwned))

test('moves of other purchases say nothing', () => {
  expect(ownedAt('ada', { id: 'other', subscriberId: 'ada' }, [move('bo', 'ada', 10)], 5)).toBe(true)
})
