import { useEffect, useState } from 'react'
import { now } from '../lib/clock'
import { useProject } from '../lib/session'
import { dateIn } from './chart-window'

const LOOK_MS = 60_000

/**
 * When the screen was opened, for what is asked up to the present; the present again as soon as another day of the
 * project has started, so that a screen that stays open shows its last days and not those of the day on which it was opened.
 */
export function useOpenedAt(read: () => number = now): number {
  const { timezone } = useProject().project
  const [openedAt, setOpenedAt] = useState(read)
  useEffect(() => {
    const isOver = (at: number) => dateIn(timezone, at) !== dateIn(timezone, now())
    const timer = setInterval(() => setOpenedAt((at) => (isOver(at) ? read() : at)), LOOK_MS)
    return () => clearInterval(timer)
  }, [timezone, read])
  return openedAt
}
