import { useEffect, useRef, useState } from 'react'
import { isCapability, roleFor } from '../../core/roles/roles'
import { ApiFailure } from '../api/failure'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { CopyText } from './copy'
import { messageOf, refusalIn } from './failure-words'
import { useFaultWords } from './use-fault-words'

interface FailureProps {
  error: Error
  onRetry?: (() => void) | undefined
}

/** What went wrong, how it is called, which request it was, and what can be done. */
export function Failure({ error, onRetry }: FailureProps) {
  const t = useText('common')
  return (
    <div role="alert" className="grid justify-items-start gap-2 py-3 text-sm">
      <p className="font-medium text-bad">{refusalIn(error, t.refusals) ?? messageOf(error, t.unreachable)}</p>
      {refusalIn(error, t.refusals) !== null && (
        <p lang="en" className="text-xs text-ink-2">
          {error.message}
        </p>
      )}
      <FailureFacts error={error} />
      <Waiting key={error instanceof ApiFailure ? error.requestId : ''} error={error} onRetry={onRetry} />
      {onRetry && <Button onClick={onRetry}>{t.tryAgain}</Button>}
    </div>
  )
}

/** The message of a refusal, as a line above or below a form. */
export function FormFailure({ error }: { error: Error | null }) {
  const t = useText('common')
  const words = useFaultWords()
  if (!error) return null
  const refusal = refusalIn(error, t.refusals)
  const said = inWords(messageOf(error, t.unreachableWrite), words)
  return (
    <div role="alert" className="grid gap-1 rounded-control bg-bad-soft px-3 py-2 text-sm text-bad">
      {refusal !== null && <p>{refusal}</p>}
      <p className="break-words" lang={refusal !== null && said === error.message ? 'en' : undefined}>
        {said}
      </p>
      <FailureFacts error={error} />
    </div>
  )
}

function FailureFacts({ error }: { error: Error }) {
  const t = useText('common')
  if (!(error instanceof ApiFailure)) return null
  const role = roleOf(error)
  return (
    <>
      {role !== null && <p className="text-ink-2">{t.roleNeeded(role)}</p>}
      <Allowance key={error.requestId} error={error} />
      <p className="flex flex-wrap items-center gap-x-3 font-mono text-xs text-ink-2">
        <span>{error.code}</span>
        {error.requestId && (
          <span className="inline-flex items-center gap-1">
            {t.requestId} <CopyText text={error.requestId} />
          </span>
        )}
      </p>
    </>
  )
}

/** The role that a refusal asks for, by its name or by the capability. */
function roleOf({ details: { requiredRole, capability } }: ApiFailure): string | null {
  if (typeof requiredRole === 'string') return requiredRole
  return typeof capability === 'string' && isCapability(capability) ? roleFor(capability) : null
}

/** Counts the seconds down that the server needs to repair itself, and then tries again. */
function Waiting({ error, onRetry }: FailureProps) {
  const t = useText('common')
  const left = useCountdown(secondsOf(error, 503), onRetry)
  return left > 0 && <p className="text-ink-2">{t.repairs(left)}</p>
}

/** When the same call will be taken again, after too many of them. */
function Allowance({ error }: { error: ApiFailure }) {
  const t = useText('common')
  const seconds = secondsOf(error, 429)
  const left = useCountdown(seconds)
  return seconds !== null && <p className="text-ink-2 tabular-nums">{left > 0 ? t.tryAgainIn(left) : t.tryAgainNow}</p>
}

/** The seconds that an answer of this status asks for, at least one; null when it asks for none. */
const secondsOf = (error: Error, status: number): number | null =>
  error instanceof ApiFailure && error.status === status && error.retryAfter !== null
    ? Math.max(1, error.retryAfter)
    : null

/** Seconds left of those at the first drawing; 0 when there was nothing to wait for. */
function useCountdown(from: number | null, onEnd?: () => void): number {
  const [left, setLeft] = useState(from ?? 0)
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    if (left <= 0) return from === null ? undefined : end.current?.()
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left, from])
  return left
}

/** Each fault after the name of its member: `name: Fill this in. url: Fill this in.` */
function inWords(message: string, words: (fault: string) => string): string {
  const faults = message.split('; ')
  const said = faults.map(words)
  return said.every((one, index) => one !== faults[index])
    ? said.map((one) => one.replace(/^body\//, '')).join(' ')
    : said.join('; ')
}
