import { type RefObject, useEffect, useState } from 'react'

/** The width of an element in pixels, as it changes; 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const own = element.current
    if (!own) return
    setWidth(own.clientWidth)
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(own)
    return () => observer.disconnect()
  }, [element])
  return width
}
