import { useQuery } from '@tanstack/react-query'
import type { Intent } from '../lib/intent'
import { api, read } from './client'
import { type Listing, useList, useRead } from './queries'

export const INTENTS = '/dashboard/projects/{projectId}/assistant/intents'

interface Path {
  projectId: string
}

const LOOK_MS = 15_000
const PAGE = 50
const MOST = 200

/** The changes of a project by pages, newest first: all, or those that wait. */
export const useIntentPages = (path: Path, { enabled = true, waiting = false }: Pages = {}): Listing<Intent> =>
  useList(
    INTENTS,
    { params: { path, query: { limit: PAGE, ...(waiting && { status: 'PENDING' as const }) } } },
    { enabled, every: LOOK_MS },
  )

interface Pages {
  enabled?: boolean
  waiting?: boolean
}

/** One change, when no page that was read has it. */
export const useIntentOf = (path: Path, id: string | null) =>
  useRead(`${INTENTS}/{id}`, { params: { path: { ...path, id: id ?? '' } } }, { enabled: id !== null, keep: false })

/** All changes that were prepared in a thread, newest first; without a thread none. */
export const useThreadIntents = (path: Path, threadId: string | null) =>
  useQuery({
    queryKey: [INTENTS, { params: { path, query: { threadId } } }],
    queryFn: async () => (threadId === null ? [] : await readAll(path, threadId)),
    enabled: threadId !== null,
    refetchInterval: LOOK_MS,
  })

async function readAll(path: Path, threadId: string): Promise<Intent[]> {
  const all: Intent[] = []
  for (let next: { cursor?: string } | null = {}; next !== null; ) {
    const page: IntentPage = await read(INTENTS, { params: { path, query: { limit: MOST, threadId, ...next } } })
    all.push(...page.items)
    next = page.nextCursor === null ? null : { cursor: page.nextCursor }
  }
  return all
}

interface IntentPage {
  items: Intent[]
  nextCursor: string | null
}

const paramsOf = (path: Path, id: string) => ({ path: { ...path, id } })

/** Does what the digest names, and nothing else. */
export const executeIntent = (path: Path, id: string, body: { digest: string }) =>
  api.post(`${INTENTS}/{id}/execute`, { params: paramsOf(path, id), body })

export const rejectIntent = (path: Path, id: string) =>
  api.post(`${INTENTS}/{id}/reject`, { params: paramsOf(path, id), body: {} })

/** Prepares it again, with other arguments or the same. The answer is a new intent. */
export const reviseIntent = (path: Path, id: string, body: { arguments: Record<string, unknown> }) =>
  api.post(`${INTENTS}/{id}/revise`, { params: paramsOf(path, id), body })
