import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/**
 * Columns as wide as the browser made them for the rows that were there first. Rows that come and go with scrolling are
 * laid out by themselves then, and no column moves. Another width of the place has them found anew.
 */
export function useFixedColumns(place: RefObject<HTMLElement | null>, isFixed: boolean): string | null {
  const [widths, setWidths] = useState<readonly number[]>([])
  useLayoutEffect(() => {
    if (!isFixed || widths.length > 0) return
    const heads = place.current?.querySelectorAll('thead th') ?? []
    // Those that a phone leaves out have none.
    const found = [...heads].map((head) => head.getBoundingClientRect().width).filter((width) => width > 0)
    if (found.length > 0) setWidths(found)
  }, [place, isFixed, widths])
  useEffect(() => {
    if (!isFixed || !place.current) return setWidths([])
    let before = place.current.clientWidth
    const observer = new ResizeObserver(([entry]) => {
      const now = entry?.target.clientWidth ?? before
      if (now !== before) setWidths([])
      before = now
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place, isFixed])
  return isFixed && widths.length > 0 ? widths.map((width) => `${width}px`).join(' ') : null
}
