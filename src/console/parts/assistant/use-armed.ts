import { type RefObject, useEffect, useState } from 'react'

const ARMED_MS = 1000

/** Whether something has been on the screen for a second, so that a key does not approve an unseen change. */
export function useArmed(place: RefObject<HTMLElement | null>): boolean {
  const [isArmed, setArmed] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer)
      if (entry?.isIntersecting) timer = setTimeout(() => setArmed(true), ARMED_MS)
      else setArmed(false)
    })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [place])
  return isArmed
}
