import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useRead } from '../api/queries'
import { refreshQuietly } from '../api/quiet-refresh'
import { useProject } from '../lib/session'

const PROJECTS = '/dashboard/projects'
const PROJECT = `${PROJECTS}/{projectId}`
const CHANGES = `${PROJECT}/changes`

const EVERY_MS = 2500
const SELDOM_MS = 15_000
/** How long rows hold still that were under the pointer. */
const WAIT_MS = 1000
const MOST_PAGES = 10

/**
 * Answers that cost the server much. Events bring them up to date; changes of the configuration hardly ever affect
 * them.
 */
const FIGURES = ['/charts', '/metrics', '/overview', '/queries', '/subscriptions/kpis'].map((part) => PROJECT + part)
/** What the server changes by itself, without an event and without a row in the audit log. */
const UNTOLD = ['/webhook-endpoints', '/refund-shield'].map((part) => PROJECT + part)

const isConfigured = (path: string): boolean =>
  path.startsWith(PROJECTS) && path !== CHANGES && !startsWithAny(path, FIGURES)

const startsWithAny = (path: string, starts: readonly string[]): boolean =>
  starts.some((start) => path.startsWith(start))

/** What other people, the command line and the server change in the project appears on the screen. */
export function ChangesByOthers(): null {
  const { path } = useProject()
  const client = useQueryClient()
  const version = useRead(CHANGES, { params: { path } }, { every: EVERY_MS, keep: false }).data?.version
  const seen = useRef(version)
  useEffect(() => {
    const before = seen.current
    seen.current = version
    if (before === undefined || version === undefined || before === version) return
    return untilDone(() => refreshQuietly(client, { isMeant: isConfigured, mostPages: MOST_PAGES }))
  }, [version, client])
  useSeldom((path) => startsWithAny(path, UNTOLD))
  return null
}

/**
 * The same where there is no project: there are no notifications, so the screen is read again now and then.
 */
export function ChangesOfAccount(): null {
  useSeldom((path) => path.startsWith('/dashboard') || path.startsWith('/admin'))
  return null
}

function useSeldom(isMeant: (path: string) => boolean): void {
  const client = useQueryClient()
  const latest = useRef(isMeant)
  latest.current = isMeant
  useEffect(() => {
    const read = () => document.hidden || refreshQuietly(client, { isMeant: latest.current, mostPages: 1 })
    const timer = setInterval(read, SELDOM_MS)
    return () => clearInterval(timer)
  }, [client])
}

/** Tries at once and then again and again until it is done. Returns what ends the trying. */
function untilDone(work: () => boolean): () => void {
  if (work()) return () => {}
  const timer = setInterval(() => {
    if (work()) clearInterval(timer)
  }, WAIT_MS)
  return () => clearInterval(timer)
}
