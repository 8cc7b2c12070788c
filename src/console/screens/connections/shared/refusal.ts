import { useMemo } from 'react'
import { ApiFailure } from '../../../api/failure'

type Fields = Record<string, string>

/** The same refusal with its messages at the fields of the form, under the names that the form gives them. */
export function usePlaced(
  error: Error | null,
  rename: (path: string) => string,
  placesOf: (failure: ApiFailure) => Fields = () => ({}),
): Error | null {
  // A new object for the same refusal would move the focus again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the two functions read nothing that changes
  return useMemo(() => placed(error, rename, placesOf), [error])
}

function placed(error: Error | null, rename: (path: string) => string, placesOf: (failure: ApiFailure) => Fields) {
  if (!(error instanceof ApiFailure)) return error
  const { status, code, message, details, requestId, retryAfter } = error
  const given = Object.entries(error.fields).map(([path, text]) => [rename(dotted(path)), withoutPath(text, path)])
  const fields = { ...Object.fromEntries(given), ...placesOf(error) }
  return new ApiFailure(status, code, message, { ...details, fields }, requestId, retryAfter)
}

/** `eventTypes[0]` is `eventTypes.0`. */
const dotted = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1')

const withoutPath = (text: string, path: string): string =>
  text.startsWith(path) ? text.slice(path.length).replace(/^[:\s]+/, '') : text

/** A text of the details, such as `reason`. */
export const detailOf = ({ details }: ApiFailure, name: string): string => {
  const value = details[name]
  return typeof value === 'string' ? value : ''
}
