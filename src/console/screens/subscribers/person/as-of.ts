import { useEffect, useRef, useState } from 'react'
import { now } from '../../../lib/clock'
import { useParam } from '../../../lib/url-state'
import { usePerson } from '../../../parts/use-person'

const SETTLE_MS = 200

/**
 * The moment that the screen shows; null is now. The address contains it. While it is being moved it is only
 * held here, and the address follows when it rests.
 */
export function useAsOf() {
  const { subscriber } = usePerson()
  const [text, setText] = useParam('at')
  const earliest = new Date(subscriber.createdAt).getTime()
  const written = momentOf(text, earliest)
  const [moving, setMoving] = useState<number | null | undefined>(undefined)
  const write = useRef(setText)
  write.current = setText
  useEffect(() => {
    if (moving === undefined) return
    const timer = setTimeout(() => {
      write.current(moving === null ? null : new Date(moving).toISOString())
      setMoving(undefined)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [moving])
  const at = moving === undefined ? written : moving
  return {
    /** The position of the line. */
    at,
    /** The last request: the answers on the screen belong to it. */
    asked: written === null ? undefined : new Date(written).toISOString(),
    earliest,
    move: (next: number | null) => setMoving(next === null ? null : Math.max(earliest, Math.round(next))),
    toNow: () => {
      setMoving(undefined)
      setText(null)
    },
  }
}

export type AsOf = ReturnType<typeof useAsOf>

/** Before the first moment of the person there is no answer: the screen shows the first moment, with a note. */
function momentOf(text: string, earliest: number): number | null {
  const at = Date.parse(text)
  return Number.isNaN(at) || Math.abs(at - now()) < 1000 ? null : Math.max(at, earliest)
}
