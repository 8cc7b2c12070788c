import type { ProviderAnswer } from '../provider'

/** The JSON object of an answer; null when the body is none, such as the page of a proxy. */
export function objectOf({ body }: ProviderAnswer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>) // An object that is no list.
      : null
  } catch {
    return null
  }
}

/** A page for people is no answer of an API, whatever its status is. */
export const isPage = ({ body }: ProviderAnswer): boolean => body.trimStart().startsWith('<')

export const isGood = ({ status }: ProviderAnswer): boolean => status >= 200 && status < 300

/** What `judgeProbe` says to an answer that the provider itself cannot have given. */
export const UNEXPECTED = 'unexpected_answer'
