import type { ReactNode } from 'react'
import { Button } from '../../../kit/button'
import { cx } from '../../../lib/class-names'
import { formatDay } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import type { Billing } from './billing-model'
import { useBillingReason } from './use-billing'

/** What is wrong with the payment, what follows and what can be done. */
export function StateBands({ billing }: { billing: Billing }) {
  const t = useText('billing')
  const reading = useReading()
  const { state, pausedAt, cardNeededBy, locked } = billing
  return (
    <>
      {state === 'PAST_DUE' && (
        <Band tone="warn" title={t.pastDue} action={<PayNow />}>
          {pausedAt === null ? t.pastDueEffect : t.pastDueUntil(formatDay(reading, pausedAt))}
        </Band>
      )}
      {state === 'PAUSED' && (
        <Band
          tone="bad"
          title={pausedAt === null ? t.paused : t.pausedSince(formatDay(reading, pausedAt))}
          action={<PayNow />}
        >
          {t.pausedEffect}
        </Band>
      )}
      {state === 'DELETED' && (
        <Band tone="warn" title={t.closed}>
          {t.closedEffect}
        </Band>
      )}
      {cardNeededBy !== null && (
        <Band tone="warn" title={t.cardNeeded(formatDay(reading, cardNeededBy))}>
          {t.cardNeededEffect}
        </Band>
      )}
      {locked && (
        <Band tone="bad" title={t.locked}>
          {t.lockedEffect}
        </Band>
      )}
    </>
  )
}

function PayNow() {
  const t = useText('billing')
  const reason = useBillingReason()
  const [, setAsked] = useParam('do')
  return (
    <Button variant="primary" reason={reason} onClick={() => setAsked('plan', { push: true })}>
      {t.payNow}
    </Button>
  )
}

interface BandProps {
  tone: 'warn' | 'bad'
  title: string
  action?: ReactNode
  children: ReactNode
}

const TONES = { warn: 'bg-warn-soft text-warn', bad: 'bg-bad-soft text-bad' } as const

const Band = ({ tone, title, action, children }: BandProps) => (
  <div
    role="note"
    className={cx('flex flex-wrap items-center justify-between gap-3 rounded-card px-4 py-3 text-sm', TONES[tone])}
  >
    <div className="grid min-w-0 max-w-3xl gap-0.5">
      <p className="font-semibold">{title}</p>
      <p>{children}</p>
    </div>
    {action}
  </div>
)
