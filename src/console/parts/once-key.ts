import { useRef, useState } from 'react'

/**
 * The header with which an act is done once, whatever is sent twice: the same key for the same body while a sheet is
 * open, also when the first answer was lost.
 */
export function useOnceKey(body: unknown): { 'Idempotency-Key': string } {
  const [start] = useState(randomKey)
  const bodies = useRef<string[]>([])
  const text = JSON.stringify(body)
  if (!bodies.current.includes(text)) bodies.current.push(text)
  return { 'Idempotency-Key': `${start}-${bodies.current.indexOf(text)}` }
}

/** A key that names one change. It is also made where the page is not on https, so not by `randomUUID`. */
export const randomKey = (): string =>
  `console-${[...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(36)).join('')}`

/**
 * The headers of a change that must happen once and only to the object on the screen, such as another secret. Who sends
 * it again gets the first answer; who looks at an old object is refused.
 */
export const onceHeaders = (key: string, revision: number): Record<string, string> => ({
  'Idempotency-Key': key,
  'If-Match': `"${revision}"`,
})
