import type { Schemas } from '../../../api/schemas'
import { Code } from '../../../kit/copy'
import { Empty } from '../../../kit/empty'
import { Because } from '../../../kit/mark'
import { State } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useText } from '../../../text/catalogue'
import { useReason } from './use-reason'

/** What each attempt got as its answer, the newest first. */
export function Attempts({
  delivery: { attemptsLog, skipReason, lastError, nextAttemptAt },
}: {
  delivery: Schemas['DeliveryDetail']
}) {
  const t = useText('connections')
  const reason = skipReason ?? lastError
  if (attemptsLog.length === 0)
    return (
      <Empty title={t.noAttempts}>
        {reason === null ? t.noAttemptsWhy : <Why code={reason} />}
        {nextAttemptAt !== null && <Time at={nextAttemptAt} />}
      </Empty>
    )
  return (
    <>
      {reason !== null && reason !== attemptsLog.at(-1)?.error && (
        <div className="border-b border-line px-4 py-3">
          <Why code={reason} />
        </div>
      )}
      <ol className="divide-y divide-line">
        {attemptsLog.toReversed().map((attempt) => (
          <Attempt key={attempt.at} attempt={attempt} />
        ))}
      </ol>
    </>
  )
}

function Why({ code }: { code: string }) {
  const words = useReason()(code)
  return (
    <Because>
      {words} {words !== code && <span className="font-mono text-xs">{code}</span>}
    </Because>
  )
}

function Attempt({
  attempt: { at, statusCode, error, durationMs, responseSnippet },
}: {
  attempt: Schemas['DeliveryAttempt']
}) {
  const t = useText('connections')
  const isGood = statusCode !== null && statusCode >= 200 && statusCode < 300
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <State tone={isGood ? 'good' : 'bad'}>
          <span className="font-mono text-xs">{statusCode ?? t.noAnswer}</span>
        </State>
        <span className="flex gap-3 text-xs text-ink-2 tabular-nums">
          <span>{durationMs} ms</span>
          <Time at={at} />
        </span>
      </div>
      {error !== null && <Why code={error} />}
      {responseSnippet !== null && responseSnippet !== '' && <Code text={responseSnippet} label={t.answer} />}
    </li>
  )
}
