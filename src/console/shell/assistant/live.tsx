import type { ReactNode } from 'react'
import { ApiFailure } from '../../api/failure'
import { Failure } from '../../kit/failure'
import { formatDay } from '../../lib/format'
import type { Marks } from '../../lib/marks'
import { useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { AnswerText } from './answer-text'
import type { LiveAnswer, ToolUse } from './live-answer'
import { ToolRow } from './tool-row'

/** A question of the person. */
export function Question({ text }: { text: string }) {
  const t = useText('assistant')
  return (
    <div className="flex justify-end">
      <p className="max-w-[85%] rounded-control bg-accent-soft px-3 py-2 wrap-anywhere whitespace-pre-wrap">
        <span className="sr-only">{t.you}: </span>
        <bdi>{text}</bdi>
      </p>
    </div>
  )
}

interface AnswerProps {
  messageId: string
  tools: readonly ToolUse[]
  text: string
  marks: Marks
  children: ReactNode
}

/** An answer: what was read for it, its text, and its state. */
export const Answer = ({ messageId, tools, text, marks, children }: AnswerProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2 *:w-full">
    {tools.map((tool, at) => (
      <ToolRow key={at} id={`${messageId} ${at}`} tool={tool} marks={marks} />
    ))}
    {text !== '' && <AnswerText text={text} marks={marks} />}
    {children}
  </div>
)

/** What is said below an answer while it is written, and what went wrong with it. */
export function LiveState({ live, isEmpty, onAgain }: { live: LiveAnswer; isEmpty: boolean; onAgain: () => void }) {
  const t = useText('assistant')
  const { notices, error, isDone } = live
  return (
    <>
      {!isDone && isEmpty && <p className="text-ink-2">{t.working}</p>}
      {notices.map((notice) => (
        <p key={notice} lang="en" className="text-xs text-ink-2">
          {notice}
        </p>
      ))}
      {error && <AnswerFailure error={error} onAgain={onAgain} />}
    </>
  )
}

function AnswerFailure({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const t = useText('assistant')
  const reading = useReading()
  if (!(error instanceof ApiFailure) || error.code !== 'ASSISTANT_QUOTA_EXCEEDED')
    return <Failure error={error} onRetry={onAgain} />
  const { exceeded, resetAt } = error.details
  const meter = (t.meters as Record<string, string>)[String(exceeded)]
  return (
    <div role="alert" className="grid gap-1 rounded-control bg-warn-soft px-3 py-2 text-warn">
      <p className="font-medium">{t.quota(typeof resetAt === 'string' ? formatDay(reading, resetAt) : null)}</p>
      {meter !== undefined && <p>{t.quotaOf(meter)}</p>}
    </div>
  )
}
