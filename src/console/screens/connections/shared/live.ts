import { useEffect, useRef } from 'react'

/** Calls again and again while the page is visible; `null` stops it. */
export function useEvery(ms: number | null, call: () => void): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => {
    if (ms === null) return
    const timer = setInterval(() => document.hidden || latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms])
}
