import { REASONS, type ReasonCode } from './reasons'

export interface Reason {
  code: ReasonCode
  params: Readonly<Record<string, string>>
}

/**
 * Which reason a sentence is; null for every other text. The first letter may be large or small, a full stop may be
 * missing, and the name that a thrown error has may come first.
 */
export function readReason(text: string): Reason | null {
  const sentence = text.replace(/^Error: /, '')
  for (const { code, pattern } of PATTERNS) {
    const found = pattern.exec(sentence)
    if (found) return { code, params: { ...found.groups } }
  }
  return null
}

interface Pattern {
  code: ReasonCode
  pattern: RegExp
}

const toPattern = (part: string): string =>
  /^\{\w+\}$/.test(part) ? `(?<${part.slice(1, -1)}>.*)` : part.replace(/[()'.]/g, '\\$&')

const withAnyCase = (pattern: string): string =>
  pattern.replace(/^[a-z]/i, (first) => `[${first.toLowerCase()}${first.toUpperCase()}]`)

function patternOf(sentence: string): RegExp {
  const pattern = withAnyCase(
    sentence
      .split(/(\{\w+\})/)
      .map(toPattern)
      .join(''),
  )
  return new RegExp(`^${pattern.replace(/\\\.$/, '\\.?').replace('.*)\\.?', '.*?)\\.?')}$`, 's')
}

const PATTERNS: readonly Pattern[] = (Object.entries(REASONS) as [ReasonCode, string][]).map(([code, sentence]) => ({
  code,
  pattern: patternOf(sentence),
}))
