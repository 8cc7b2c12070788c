import { useEffect, useRef, useState } from 'react'
import { unmasked } from '../../../core/text/marks'
import { streamedEvents } from '../../api/answer-stream'
import { api } from '../../api/client'
import { ApiFailure, Unreachable } from '../../api/failure'
import { INTENTS, useThreadIntents } from '../../api/intents'
import { useRead, useRefresh } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import type { Intent } from '../../lib/intent'
import type { Marks } from '../../lib/marks'
import { useProject } from '../../lib/session'
import { type LiveAnswer, newAnswer, withEvent } from './live-answer'

export const THREADS = '/dashboard/projects/{projectId}/assistant/threads'
const USAGE = '/dashboard/projects/{projectId}/assistant/usage'

/** While an answer is written by another process of the server, the thread is looked at again. */
const LOOK_MS = 2000

type Message = Schemas['AssistantMessage']

export interface Conversation {
  /** The changes that were prepared in the thread. */
  intents: readonly Intent[]
  messages: readonly Message[]
  marks: Marks
  live: LiveAnswer | null
  isAnswering: boolean
  isLoading: boolean
  error: Error | null
  ask: (content: string) => void
  /** Asks the last question again, or follows its answer again. */
  again: () => void
  stop: () => void
}

/** One thread: its messages, and the answer that is being written. The first question creates the thread. */
export function useConversation(first: string | null, onThread: (id: string) => void): Conversation {
  const { path, api: project } = useProject()
  const refresh = useRefresh()
  const [id, setId] = useState(first)
  const [live, setLive] = useState<LiveAnswer | null>(null)
  const leaving = useLeaving()
  const resumed = useRef<string | null>(null)
  const thread = useRead(
    `${THREADS}/{id}`,
    { params: { path: { ...path, id: id ?? '' } } },
    { enabled: id !== null, keep: false },
  )
  const prepared = useThreadIntents(path, id)
  const follow = async (url: string, answer: LiveAnswer, body?: object) => {
    let now = answer
    const show = (next: LiveAnswer) => {
      now = next
      if (!leaving.current.signal.aborted) setLive(next)
    }
    show(answer)
    try {
      const ask = { method: body ? 'POST' : 'GET', ...(body && { body }), signal: leaving.current.signal } as const
      for await (const event of streamedEvents(url, ask)) show(withEvent(now, event))
      if (!now.isDone) show({ ...now, isDone: true })
    } catch (error) {
      show({ ...now, isDone: true, error: error as Error })
    }
    if (leaving.current.signal.aborted) return
    if (now.error === null || now.messageId !== null) await thread.refetch()
    if (now.error === null) setLive(null)
    refresh(THREADS, USAGE, INTENTS)
  }
  const begin = async (): Promise<string> => {
    if (id !== null) return id
    const made = await api.post(THREADS, { params: { path }, body: {} })
    setId(made.id)
    onThread(made.id)
    return made.id
  }
  const ask = async (content: string) => {
    const answer = newAnswer(content)
    setLive(answer)
    const own = await begin().catch((error: Error) => setLive({ ...answer, isDone: true, error }))
    if (typeof own === 'string') await follow(`${project}/assistant/threads/${own}/messages`, answer, { content })
  }
  const again = () => {
    const question = live?.question ?? lastQuestion(thread.data)
    if (live?.error instanceof Unreachable && live.messageId !== null) {
      // The server continues to write: the answer so far is read from its start.
      resumed.current = null
      setLive(null)
      void thread.refetch()
    } else if (question !== null) void ask(question)
  }
  const running = thread.data?.messages.findLast(({ status }) => status === 'RUNNING')
  useEffect(() => {
    if (!running || live || id === null || resumed.current === running.id) return
    resumed.current = running.id
    void follow(`${project}/assistant/threads/${id}/messages/${running.id}/stream`, newAnswer(null, running.id))
  })
  useEffect(() => {
    if (!running || live) return
    const timer = setInterval(() => void thread.refetch(), LOOK_MS)
    return () => clearInterval(timer)
  })
  const isGone = thread.error instanceof ApiFailure && thread.error.status === 404
  return {
    messages: shownOf(thread.data?.messages ?? [], live),
    marks: { ...thread.data?.marks, ...live?.marks },
    intents: mergedOf(prepared.data ?? [], live?.intents ?? []),
    live,
    isAnswering: live ? !live.isDone : running !== undefined,
    isLoading: thread.isLoading,
    error: thread.data || isGone ? null : thread.error,
    ask: (content) => void ask(content),
    again,
    stop: () =>
      void (
        id !== null && api.post(`${THREADS}/{id}/stop`, { params: { path: { ...path, id } }, body: {} }).catch(() => {})
      ),
  }
}

function lastQuestion(thread: Schemas['AssistantThreadDetails'] | undefined): string | null {
  const found = thread?.messages.findLast(({ role }) => role === 'USER')
  return found && thread ? unmasked(found.content, thread.marks) : null
}

/** Aborted when the component goes: the server writes on, and the next reader follows it again. */
function useLeaving() {
  const leaving = useRef(new AbortController())
  useEffect(() => {
    if (leaving.current.signal.aborted) leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  return leaving
}

/** Those of the list, oldest first, and those that came in the answer and are not in the list yet. */
function mergedOf(listed: readonly Intent[], live: readonly Intent[]): readonly Intent[] {
  const own = listed.filter(({ replacedBy }) => !replacedBy).toReversed()
  return [...own, ...live.filter((one) => listed.every(({ id }) => id !== one.id))]
}

/** The messages without the ones that are shown live. */
function shownOf(messages: readonly Message[], live: LiveAnswer | null): readonly Message[] {
  if (!live) return messages
  const at = messages.findIndex(({ id, status }) => id === live.messageId || status === 'RUNNING')
  if (at < 0) return messages
  return messages.slice(0, live.question === null ? at : Math.max(0, at - 1))
}
