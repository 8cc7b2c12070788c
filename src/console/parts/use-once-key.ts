import { useRef, useState } from 'react'
import { randomKey } from '../lib/once-key'

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
