import { fold } from './folding'
import type { RuleTest, Subject, TextOperator } from './model'
import { itemsOf } from './values'

type Reader = (subject: Subject) => string | undefined

/** Whether the value holds, or an item of it where it is a list. A missing one does not. */
export function eachText(read: Reader, isItem: boolean, holds: (text: string) => boolean): RuleTest {
  return (subject) => {
    const text = read(subject)
    if (text === undefined) return false
    const items = isItem ? null : itemsOf(text)
    return items === null ? holds(text) : items.some((item) => item !== null && holds(item))
  }
}

type Part = (text: string, part: string) => boolean

const PARTS: Record<TextOperator, Part> = {
  $startsWith: (text, part) => text.startsWith(part),
  $endsWith: (text, part) => text.endsWith(part),
  $contains: (text, part) => text.includes(part),
  $startsWithi: (text, part) => text.startsWith(part),
  $endsWithi: (text, part) => text.endsWith(part),
  $containsi: (text, part) => text.includes(part),
}

/** Whether a text has one of the parts, in the way that the operator asks. */
export function partTest(operator: TextOperator, parts: readonly string[]): (text: string) => boolean {
  const has = PARTS[operator]
  if (!operator.endsWith('i')) return (text) => parts.some((part) => has(text, part))
  const folded = parts.map(fold)
  return (text) => {
    const own = fold(text)
    return folded.some((part) => has(own, part))
  }
}
