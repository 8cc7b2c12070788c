import { expect, test } from 'bun:test'
import { estimatedTokens, exceededBy, type Limits, NO_LIMITS, type Use, usedBy } from './limits'

const use = (messages: number, inputTokens: number, outputTokens: number): Use => ({
  ...{ messages, inputTokens, outputTokens },
})
const LIMITS: Limits = { messages: 2, inputTokens: 100, outputTokens: 50 }

const cases: [fact: string, limits: Limits, taken: Use, asked: Use, exceeded: string | null][] = [
  ['what fits to the last token is allowed', LIMITS, use(1, 60, 40), use(1, 40, 10), null],
  ['one message too many', LIMITS, use(2, 0, 0), use(1, 1, 1), 'messages'],
  ['one token of input too many', LIMITS, use(0, 60, 0), use(1, 41, 1), 'inputTokens'],
  ['one token of output too many', LIMITS, use(0, 0, 50), use(1, 1, 1), 'outputTokens'],
  ['of all three the messages are reported', LIMITS, use(2, 100, 50), use(1, 1, 1), 'messages'],
  ['of the tokens those of the input', LIMITS, use(0, 100, 50), use(1, 1, 1), 'inputTokens'],
  ['a later step asks for no message', LIMITS, use(5, 0, 0), use(0, 1, 1), null],
  ['a limit of nothing allows nothing', { ...NO_LIMITS, messages: 0 }, use(0, 0, 0), use(1, 0, 0), 'messages'],
  ['without limits everything fits', NO_LIMITS, use(1e9, 1e12, 1e12), use(1, 1e9, 1e9), null],
]
for (const [fact, limits, taken, asked, exceeded] of cases)
  test(fact, () => expect(exceededBy(limits, taken, asked)).toBe(exceeded as never))

test('an estimate is rounded up, and by bytes', () => {
  expect(['', 'a', 'abcd', 'abcde', 'Привет'].map(estimatedTokens)).toEqual([0, 1, 1, 2, 3])
})

const settled: [fact: string, answered: Parameters<typeof usedBy>[0], estimate: number | null, used: number[]][] = [
  [
    'figures decide, whatever was estimated',
    { figures: { inputTokens: 9, outputTokens: 1 }, text: 'a long text', isWhole: true },
    700,
    [9, 1],
  ],
  ['a request without an answer uses nothing', { figures: {}, text: '', isWhole: false }, 700, [0, 0]],
  ['a stopped answer without figures is estimated', { figures: {}, text: 'abcdefgh', isWhole: false }, 700, [700, 2]],
  ['and not without a limit', { figures: {}, text: 'abcdefgh', isWhole: false }, null, [0, 0]],
  [
    'the first figure of a stopped answer is not its last',
    { figures: { inputTokens: 9, outputTokens: 1 }, text: 'abcdefgh', isWhole: false },
    700,
    [9, 2],
  ],
  ['a server that sends no figures is estimated', { figures: {}, text: 'abcd', isWhole: true }, 700, [700, 1]],
]
for (const [fact, answered, estimate, [inputTokens = 0, outputTokens = 0]] of settled)
  test(fact, () => expect(usedBy(answered, estimate)).toEqual({ inputTokens, outputTokens }))
