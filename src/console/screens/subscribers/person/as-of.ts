import { useEffect, useRef, useState } from 'react'
import { now } from '../../../lib/clock'
import { useParam } from '../../../lib/url-state'
import { usePerson } from '../../../parts/use-person'

const SETTLE_MS = 200

/**
 * The moment about which the screen answers; null is now. It stands in the address. While it is being moved it is only
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
    /** Where the line stands. */
    at,
    /** What was asked last: the answers on the screen are about it. */
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

/** Before the person was known there is no answer: what is shown is about the first moment, and says so. */
function momentOf(text: string, earliest: number): number | null {
  const at = Date.parse(text)
  return Number.isNaN(at) || Math.abs(at - now()) < 1000 ? null : Math.max(at, earliest)
}
