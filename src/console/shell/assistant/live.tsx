import { ApiFailure } from '../../api/failure'
import { Failure } from '../../kit/failure'
import { formatDay } from '../../lib/format'
import { type Marks, withoutHalfMark } from '../../lib/marks'
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

interface ToolsProps {
  messageId: string
  tools: readonly ToolUse[]
  marks: Marks
}

/** What was read for an answer. */
export const Tools = ({ messageId, tools, marks }: ToolsProps) =>
  tools.map((tool, at) => <ToolRow key={at} id={`${messageId} ${at}`} tool={tool} marks={marks} />)

/** An answer while it is written, and what went wrong with it. */
export function Live({ live, marks, onAgain }: { live: LiveAnswer; marks: Marks; onAgain: () => void }) {
  const t = useText('assistant')
  const { question, text, tools, notices, error, isDone } = live
  const shown = isDone ? text : withoutHalfMark(text)
  return (
    <>
      {question !== null && <Question text={question} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <Tools messageId={live.messageId ?? ''} tools={tools} marks={marks} />
        {shown !== '' && <AnswerText text={shown} marks={marks} />}
        {!isDone && shown === '' && <p className="text-ink-2">{t.working}</p>}
        {notices.map((notice) => (
          <p key={notice} lang="en" className="text-xs text-ink-2">
            {notice}
          </p>
        ))}
        {error && <AnswerFailure error={error} onAgain={onAgain} />}
      </div>
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
