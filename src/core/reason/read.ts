import { REASONS, type ReasonCode } from './reasons'

export interface Reason {
  code: ReasonCode
  params: Readonly<Record<string, string>>
}

/** Which reason a sentence is; null for every other text. */
export function readReason(text: string): Reason | null {
  for (const { code, pattern } of PATTERNS) {
    const found = pattern.exec(text)
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

const PATTERNS: readonly Pattern[] = (Object.entries(REASONS) as [ReasonCode, string][]).map(([code, sentence]) => ({
  code,
  pattern: new RegExp(
    `^${sentence
      .split(/(\{\w+\})/)
      .map(toPattern)
      .join('')}$`,
    's',
  ),
}))
