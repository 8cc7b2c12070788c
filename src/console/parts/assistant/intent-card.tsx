import { FilePenLine } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useReducer, useRef, useState } from 'react'
import { isCapability, ROLES } from '../../../core/roles/roles'
import { CopyText } from '../../kit/copy'
import { Chip, type Tone } from '../../kit/state'
import { cx } from '../../lib/class-names'
import { now } from '../../lib/clock'
import { type Intent, type IntentStatus, minutesLeft, shortDigest, statusAt } from '../../lib/intent'
import { roleFor, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { IntentFacts } from './intent-facts'
import { Foot, SecondPress } from './intent-foot'
import { Decided, TroubleNote, Words } from './intent-notes'
import { useArmed } from './use-armed'
import { useIntent } from './use-intent'

export const INTENT_TONES: Record<IntentStatus, Tone> = {
  ...{ PENDING: 'warn', EXECUTED: 'good', REJECTED: 'mute', EXPIRED: 'mute', FAILED: 'bad' },
}

interface IntentCardProps {
  intent: Intent
  /** Another one has taken its place. */
  onRevised?: (intent: Intent) => void
}

const LOOK_MS = 5000

/** A change that waits for a person: all that it would do, and the buttons. Nothing is done before one is pressed. */
export function IntentCard({ intent: given, onRevised }: IntentCardProps) {
  const t = useText('intents')
  const deed = useIntent(given, onRevised)
  const { intent, trouble } = deed
  const [isConfirming, setConfirming] = useState(false)
  const card = useRef<HTMLElement>(null)
  const isArmed = useArmed(card)
  const heading = useId()
  useClock()
  const status = trouble?.kind === 'stale' ? 'FAILED' : statusAt(intent, now())
  const isWaiting = status === 'PENDING'
  const reason = useNoRight(intent)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || isInDialog(event.target)) return
    event.preventDefault()
    if (isWaiting && intent.risk === 'low' && isArmed && !deed.isBusy && reason === null) deed.execute()
  }
  return (
    <section
      ref={card}
      tabIndex={0}
      aria-labelledby={heading}
      data-intent={intent.id}
      data-armed={isArmed || undefined}
      onKeyDown={onKey}
      className={cx(
        'overflow-clip rounded-card border bg-surface text-sm',
        isWaiting ? 'border-accent' : 'border-line',
      )}
    >
      <header
        className={cx(
          'flex min-h-10 flex-wrap items-center justify-between gap-x-4 px-3 py-2',
          isWaiting ? 'bg-accent-soft text-accent' : 'bg-sunken text-ink-2',
        )}
      >
        <span className="inline-flex items-center gap-2 font-medium">
          <FilePenLine aria-hidden size={15} />
          {t.toApprove}
        </span>
        <span className="inline-flex items-center gap-2 text-xs">
          {intent.risk === 'high' && <Chip tone="bad">{t.highRisk}</Chip>}
          {isWaiting ? t.nothingChanged : t.states[status]}
        </span>
      </header>
      <div className={cx('grid grid-cols-[minmax(0,1fr)] gap-3 p-3', !isWaiting && 'text-ink-2')}>
        <h2 id={heading} className="font-medium wrap-anywhere text-ink">
          {intent.summary}
        </h2>
        <Words intent={intent} />
        <IntentFacts intent={intent} />
        <p className="flex flex-wrap items-center justify-between gap-x-4 text-xs text-ink-2">
          <span className="inline-flex items-center gap-1">
            {t.holdsFor} <CopyText text={intent.digest} shown={shortDigest(intent.digest)} />
          </span>
          {isWaiting ? <span>{t.minutesLeft(minutesLeft(intent, now()))}</span> : <Decided intent={intent} />}
        </p>
        {trouble && <TroubleNote trouble={trouble} onSignIn={() => void deed.signIn()} />}
      </div>
      <Foot deed={deed} status={status} reason={reason} onConfirm={() => setConfirming(true)} />
      {isConfirming && isWaiting && <SecondPress deed={deed} onClose={() => setConfirming(false)} />}
    </section>
  )
}

const isInDialog = (target: EventTarget): boolean => target instanceof Element && target.closest('dialog') !== null

/** Draws again now and then: the time of a waiting change runs out. */
function useClock(): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(draw, LOOK_MS)
    return () => clearInterval(timer)
  }, [])
}

/** Why the role may not do what the change does; null when it may. */
function useNoRight({ capability }: Intent): string | null {
  const c = useText('common')
  const { can, hasRole } = useProject()
  if (isCapability(capability)) return can(capability) ? null : c.roleNeeded(roleFor(capability))
  const role = ROLES.find((one) => one === capability)
  return role === undefined || hasRole(role) ? null : c.roleNeeded(role)
}
