import type { ReactNode } from 'react'
import { cx } from '../lib/class-names'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'mute'

const DOTS: Record<Tone, string> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-accent',
  mute: 'bg-ink-3',
}

const CHIPS: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-accent-soft text-accent',
  mute: 'bg-hover text-ink-2',
}

/** A dot that goes with a word beside it. */
export const Dot = ({ tone, live = false }: { tone: Tone; live?: boolean }) => (
  <span
    aria-hidden="true"
    className={cx('inline-block size-2 shrink-0 rounded-full', DOTS[tone], live && 'animate-live')}
  />
)

export const Chip = ({ tone = 'mute', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={cx(
      'inline-flex items-center gap-1.5 rounded-chip px-1.5 py-0.5 text-xs font-medium whitespace-nowrap',
      CHIPS[tone],
    )}
  >
    {children}
  </span>
)

/** A state of a thing: dot and word. */
export const State = ({ tone, children, live = false }: { tone: Tone; children: ReactNode; live?: boolean }) => (
  <span className="inline-flex items-center gap-2 whitespace-nowrap">
    <Dot tone={tone} live={live} />
    {children}
  </span>
)

const TONES: Record<string, Tone> = {
  ACTIVE: 'good',
  TRIAL: 'info',
  TRIALING: 'info',
  GRACE_PERIOD: 'warn',
  BILLING_RETRY: 'warn',
  PAUSED: 'mute',
  EXPIRED: 'mute',
  REVOKED: 'bad',
  REFUNDED: 'bad',
  CANCELLED: 'mute',
  CANCELED: 'mute',
  OPEN: 'info',
  PENDING: 'info',
  COMPLETED: 'good',
  RUNNING: 'info',
  FAILED: 'bad',
  DEAD: 'bad',
  DELIVERED: 'good',
  SUCCEEDED: 'good',
  OK: 'good',
  INCOMPLETE: 'warn',
  FAILING: 'bad',
  DRAFT: 'mute',
  STOPPED: 'mute',
  IGNORED: 'mute',
  PROCESSED: 'good',
  RECEIVED: 'info',
  DISCONNECTED: 'mute',
  CONNECTED: 'good',
  BROKEN: 'bad',
  CONSUMED: 'mute',
  OWNED: 'good',
  SCHEDULED: 'info',
  SENT: 'good',
}

/** The tone of a state by its name in the API. */
export const toneOf = (state: string): Tone => TONES[state] ?? 'mute'
