import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isSame, nextMost, type Span, spanAt, stepTowards } from '../lib/row-window'

const ROW = 33
const AROUND = 8
const FIRST_MOST = 12

interface RowWindow {
  shown: Span
  /** Pixels of the rows that are not in the document, above and below. */
  above: number
  below: number
}

/**
 * Which rows are in the document: those near the window. Each frame adds as many as it can draw in time, so that a fast
 * scroll stays smooth and rows come late instead. `layout` identifies what their height depends on. How far it is
 * scrolled is seen at the rows themselves, also in a dialog.
 */
export function useRowWindow(body: RefObject<HTMLElement | null>, count: number, layout: unknown): RowWindow {
  const [row, setRow] = useState(ROW)
  const [shown, setShown] = useState<Span>({ from: 0, to: Math.ceil(innerHeight / ROW) })
  const latest = useRef(shown)
  latest.current = shown
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout of the rows has another height
  useLayoutEffect(() => {
    const found = body.current?.querySelector('[data-row]')?.getBoundingClientRect().height ?? 0
    if (found > 0 && Math.abs(found - row) > 0.01) return setRow(found)
    const follow = followScroll({ body, row, count, get: () => latest.current, set: setShown })
    follow.now()
    const options = { passive: true, capture: true }
    addEventListener('scroll', follow.soon, options)
    addEventListener('resize', follow.soon)
    return () => {
      removeEventListener('scroll', follow.soon, options)
      removeEventListener('resize', follow.soon)
      follow.stop()
    }
  }, [body, row, count, layout])
  const to = Math.min(shown.to, count)
  const from = Math.min(shown.from, to)
  return { shown: { from, to }, above: from * row, below: (count - to) * row }
}

interface Follow {
  body: RefObject<HTMLElement | null>
  row: number
  count: number
  get: () => Span
  set: (span: Span) => void
}

/** Brings the rows near the window, one step in each frame until all are there. */
function followScroll({ body, row, count, get, set }: Follow) {
  let frame = 0
  let most = FIRST_MOST
  let steppedAt = 0
  const next = (allowed: number): boolean => {
    const top = -(body.current?.getBoundingClientRect().top ?? 0)
    const place = { top, height: innerHeight, row, count }
    const near = spanAt(place, AROUND)
    const span = stepTowards({ now: get(), seen: spanAt(place), near, most: allowed })
    if (!isSame(span, get())) flushSync(() => set(span))
    return isSame(span, near)
  }
  const step = (at: number) => {
    frame = 0
    // After a pause the time since the last step is no measure.
    if (at - steppedAt < PAUSE_MS) most = nextMost(most, at - steppedAt)
    steppedAt = at
    if (!next(most)) soon()
  }
  const soon = () => {
    frame ||= requestAnimationFrame(step)
  }
  return {
    soon,
    now: () => {
      const top = -(body.current?.getBoundingClientRect().top ?? 0)
      set(spanAt({ top, height: innerHeight, row, count }, AROUND))
    },
    stop: () => cancelAnimationFrame(frame),
  }
}

const PAUSE_MS = 250
