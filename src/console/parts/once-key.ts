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

/** Also where the page is not on https, so not `randomUUID`. */
export const randomKey = (): string =>
  `console-${[...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(36)).join('')}`
