import type { texts } from '../text/en/common'

type Words = (typeof texts)['faults']

/** What the schemas of the API say about a value, and how it is said to people. */
const FAULTS: readonly (readonly [message: RegExp, words: (words: Words, found: string) => string])[] = [
  [/Expected string length greater or equal to 1\b|Expected required property/, (words) => words.missing],
  [/Expected array length to be greater or equal to 1\b/, (words) => words.chooseOne],
  [/Expected string length greater or equal to (\d+)/, (words, count) => words.tooShort(count)],
  [/Expected string length less or equal to (\d+)/, (words, count) => words.tooLong(count)],
  [/Expected array length to be less or equal to (\d+)/, (words, count) => words.tooMany(count)],
  [/Expected (?:number|integer) to be greater or equal to (-?[\d.]+)/, (words, least) => words.atLeast(least)],
  [/Expected (?:number|integer) to be less or equal to (-?[\d.]+)/, (words, most) => words.atMost(most)],
  [/Expected (?:number|integer) to be greater than (-?[\d.]+)/, (words, below) => words.above(below)],
  [/Expected (?:number|integer) to be less than (-?[\d.]+)/, (words, above) => words.below(above)],
  [/Expected integer\b/, (words) => words.wholeNumber],
  [/Expected number\b/, (words) => words.number],
  [/Expected string to match .+/, (words) => words.form],
]

/** The message of a schema in the language of the person; every other message as it is. */
export function faultIn(message: string, words: Words): string {
  const [pattern, say] = FAULTS.find(([one]) => one.test(message)) ?? []
  return pattern && say ? message.replace(pattern, (_all, found: unknown) => say(words, String(found))) : message
}
