import { useRef } from 'react'
import { randomKey } from './once-key'

/** A key for one change: another one as soon as something else is to be sent, because a key belongs to one body. */
export function useOnceKey(body: unknown): string {
  const text = JSON.stringify(body)
  const made = useRef({ text, key: '' })
  if (made.current.key === '' || made.current.text !== text) made.current = { text, key: randomKey() }
  return made.current.key
}
