import { AppError } from '../../../base/errors'
import { toIso } from '../../../base/lib/time'
import type { Tokens } from '../models/model'

/** What is counted in a month, in the order in which a limit is reported. */
export const METERS = ['messages', 'inputTokens', 'outputTokens'] as const

export type Meter = (typeof METERS)[number]
export type Use = Readonly<Record<Meter, number>>
/** Null = no limit. */
export type Limits = Readonly<Record<Meter, number | null>>

export const NO_LIMITS: Limits = { messages: null, inputTokens: null, outputTokens: null }

/** The first meter whose limit would be passed; null when everything fits. What asks for nothing passes no limit. */
export function exceededBy(limits: Limits, taken: Use, asked: Use): Meter | null {
  const passes = (meter: Meter): boolean => {
    const limit = limits[meter]
    return limit !== null && asked[meter] > 0 && taken[meter] + asked[meter] > limit
  }
  return METERS.find(passes) ?? null
}

export const quotaExceeded = (tier: string, exceeded: Meter, resetAt: number): AppError =>
  new AppError('ASSISTANT_QUOTA_EXCEEDED', undefined, { members: { tier, exceeded, resetAt: toIso(resetAt) } })

const BYTES_PER_TOKEN = 4

/** About the tokens of a text, rounded up: 9 bytes are 3 tokens. */
export const estimatedTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

/** What came of a step. */
export interface Answered {
  /** The provider's figures, as far as it sent them. */
  figures: Partial<Tokens>
  text: string
  /** Whether the answer came to its end. */
  isWhole: boolean
}

/**
 * What a step has used by the provider's figures. Where an answer with a text lacks one, as that of a turn that was stopped
 * before the figures came, an estimate is used; `estimatedInput` null = no estimates.
 */
export function usedBy({ figures, text, isWhole }: Answered, estimatedInput: number | null): Tokens {
  const { inputTokens, outputTokens } = figures
  if (estimatedInput === null || text === '') return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 }
  const isKnown = isWhole && outputTokens !== undefined
  return {
    inputTokens: inputTokens ?? estimatedInput,
    outputTokens: isKnown ? outputTokens : Math.max(outputTokens ?? 0, estimatedTokens(text)),
  }
}
