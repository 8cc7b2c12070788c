import { isId } from './reading'

const PRICES = ['total', 'perMonth', 'perWeek', 'perDay', 'trialDays'] as const
export type PriceVariable = (typeof PRICES)[number]

/** `{{answer.goal|sleep}}`: the value that a text inserts, and its replacement when there is none. */
export type Variable =
  | { of: 'answer'; name: string; fallback: string }
  | { of: 'query'; name: string; fallback: string }
  | { of: 'price'; package: string; part: PriceVariable; fallback: string }

export type TextPart = string | Variable | { unknown: string }

const BRACES = /\{\{([^{}]*)\}\}/g

/** A text in its literal parts and its variables (funnels 1); `unknown` is text in braces that is no variable. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(BRACES)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push(readVariable(match[1] ?? '') ?? { unknown: match[0] })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

function readVariable(inner: string): Variable | null {
  const bar = inner.indexOf('|')
  const name = (bar < 0 ? inner : inner.slice(0, bar)).trim()
  const fallback = bar < 0 ? '' : inner.slice(bar + 1).trim()
  const [, of, rest = ''] = /^(answer|query|price)\.(.+)$/.exec(name) ?? []
  if (of === 'answer' || of === 'query') return isId(rest) ? { of, name: rest, fallback } : null
  return of === 'price' ? readPrice(rest, fallback) : null
}

function readPrice(rest: string, fallback: string): Variable | null {
  const dot = rest.lastIndexOf('.')
  const part = PRICES.find((name) => name === rest.slice(dot + 1))
  const id = rest.slice(0, Math.max(dot, 0))
  return part !== undefined && isId(id) ? { of: 'price', package: id, part, fallback } : null
}
