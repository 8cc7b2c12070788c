import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useState } from 'react'

interface FixedColumns {
  table: CSSProperties | undefined
  /** Pixels of each column; none while the browser finds them. */
  widths: readonly number[]
}

/**
 * Columns as wide as the browser made them for the rows that were there first. Rows that come and go with scrolling are
 * laid out by themselves then, and no column moves. Another width of the place has them found anew.
 */
export function useFixedColumns(place: RefObject<HTMLElement | null>, isFixed: boolean): FixedColumns {
  const [widths, setWidths] = useState<readonly number[]>([])
  useLayoutEffect(() => {
    if (!isFixed || widths.length > 0) return
    const heads = place.current?.querySelectorAll('thead th') ?? []
    setWidths([...heads].map((head) => head.getBoundingClientRect().width))
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
  return { table: isFixed && widths.length > 0 ? { tableLayout: 'fixed' } : undefined, widths }
}
