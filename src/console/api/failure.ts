/** A refusal of the server, with everything a person needs to act on it. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown>,
    readonly requestId: string | null,
    /** Seconds after which the same call can be tried again; null when the server names none. */
    readonly retryAfter: number | null,
  ) {
    super(message)
  }

  /** Messages by the path of the field, such as `rules.0.serve`. */
  get fields(): Record<string, string> {
    const { fields } = this.details
    if (Array.isArray(fields)) {
      const places = fields.filter((place) => typeof place === 'string')
      return Object.fromEntries(places.map((place) => [dotted(place), sentenceAbout(this.message, place)]))
    }
    if (fields === null || typeof fields !== 'object') return {}
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : String(value)]),
    )
  }
}

/** Whether the object has another state than the call needs. */
export const isConflict = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.code === 'CONFLICT'

/** Whether another person has changed the object meanwhile. */
export const isEditConflict = (error: unknown): error is ApiFailure =>
  isConflict(error) && error.details.revision !== undefined

/** `rules[0].value` and `body/rules/0/value` as `rules.0.value`. */
const dotted = (place: string): string =>
  place
    .replace(/^body[/.]/, '')
    .replace(/\[(\d+)\]/g, '.$1')
    .replaceAll('/', '.')

/** The part of a message that is about one place; the whole message when no part names it. */
const sentenceAbout = (message: string, place: string): string =>
  message.split('; ').find((part) => part.startsWith(place)) ?? message

/** The server did not answer. */
export class Unreachable extends Error {}

interface WireError {
  code?: string
  message?: string
  details?: Record<string, unknown>
}

export function failureOf(response: Response, body: unknown): ApiFailure {
  const { code, message, details, ...members } = (body as { error?: WireError } | null)?.error ?? {}
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiFailure(
    response.status,
    code ?? 'HTTP_ERROR',
    message ?? `HTTP ${response.status}`,
    { ...fieldsIn(message ?? ''), ...members, ...details },
    response.headers.get('x-request-id'),
    Number.isFinite(after) ? after : null,
  )
}

/** Messages by field, from a text such as `body/name: must not be empty; body/settings/leaseTtlSeconds: …`. */
function fieldsIn(message: string): Record<string, unknown> {
  const found = [...message.matchAll(/(?:^|; )body\/([\w/$.-]+): (.*?)(?=; body\/|$)/gs)]
  if (found.length === 0) return {}
  return { fields: Object.fromEntries(found.map(([, place = '', text = '']) => [place.replaceAll('/', '.'), text])) }
}
