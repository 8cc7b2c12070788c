import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refreshQuietly } from '../api/quiet-refresh'
import { useStream } from '../api/stream'
import { useProject } from '../lib/session'

const WAIT_MS = 1500
/** A stream that opens within this time starts with the screen. */
const PROMPT_MS = 200

const MOST_PAGES = 2

/**
 * Reads the lists of some paths again when something happens in the project, at most every 1.5 seconds. Rows hold still
 * while the pointer is on one of them.
 */
export const useLiveRows = (...paths: readonly string[]): void => useLiveAnswers(WAIT_MS, paths)

/** As `useLiveRows`, at most once in so many milliseconds: for answers that cost the server more. */
export function useLiveAnswers(waitMs: number, paths: readonly string[]): void {
  const { api } = useProject()
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const begun = useRef(performance.now())
  useEffect(() => () => clearTimeout(timer.current), [])
  const isMeant = (path: string) => paths.some((start) => path.startsWith(start))
  const refresh = () => {
    timer.current = undefined
    if (!refreshQuietly(client, { isMeant, mostPages: MOST_PAGES })) soon()
  }
  const soon = () => {
    timer.current ??= setTimeout(refresh, waitMs)
  }
  // What happens between the reading and a late opening is in neither of them.
  const onOpen = () => {
    if (performance.now() - begun.current > PROMPT_MS) soon()
  }
  useStream(`${api}/events/stream`, { on: { event: soon }, onOpen })
}
