import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { State, type Tone } from '../../../kit/state'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { Money, Time } from '../../../kit/values'
import { formatDay, formatMoney } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { BILLING, type Billing, CHANGED, canCancel, type Plan, TIERS } from './billing-model'
import { ChangePlan } from './change-plan'
import { useBillingReason } from './use-billing'

interface PlanProps {
  billing: Billing
  plans: readonly Plan[]
}

const TONES: Readonly<Record<Billing['state'], Tone>> = {
  ...{ FREE: 'mute', ACTIVE: 'good', PAST_DUE: 'warn', PAUSED: 'bad', DELETED: 'mute' },
}

/** The plan, what it costs and when it is charged next. */
export function PlanCard({ billing, plans }: PlanProps) {
  const t = useText('billing')
  const reading = useReading()
  const [asked, setAsked] = useParam('do')
  const close = () => setAsked(null)
  const { tier, state, cancelAt, pendingTier } = billing
  const price = plans.find((plan) => plan.tier === tier)?.monthly ?? null
  return (
    <Card title={t.plan} aside={<State tone={TONES[state]}>{t.stateName[state]}</State>}>
      <div className="grid gap-4">
        <p className="flex flex-wrap items-baseline gap-2">
          <span className="text-2xl font-medium">{TIERS[tier]}</span>
          {price && (
            <span className="text-sm text-ink-2">
              {t.aMonth(formatMoney(reading, price.amountMicros, price.currency))}
            </span>
          )}
        </p>
        {cancelAt !== null && <p className="text-sm text-warn">{t.endsOn(formatDay(reading, cancelAt))}</p>}
        <Facts
          items={[
            ...(pendingTier === null ? [] : [[t.nextPlan, TIERS[pendingTier]] as const]),
            [t.nextInvoice, <NextInvoice key="next" billing={billing} plans={plans} />],
          ]}
        />
        <Acts billing={billing} />
      </div>
      {asked === 'plan' && <ChangePlan billing={billing} plans={plans} onClose={close} />}
      {asked === 'cancel' && canCancel(billing) && <CancelPlan billing={billing} onClose={close} />}
    </Card>
  )
}

/** Only a date that the provider has given, with the price of the plan that holds then. */
function NextInvoice({ billing: { renewsAt, tier, pendingTier }, plans }: PlanProps) {
  const t = useText('billing')
  const price = plans.find((plan) => plan.tier === (pendingTier ?? tier))?.monthly ?? null
  if (renewsAt === null) return t.noInvoiceComes
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-2">
      {price && <Money micros={price.amountMicros} currency={price.currency} />}
      <Time at={renewsAt} absolute day />
    </span>
  )
}

function Acts({ billing }: { billing: Billing }) {
  const t = useText('billing')
  const reason = useBillingReason()
  const [, setAsked] = useParam('do')
  const isCancelled = billing.cancelAt !== null && billing.state === 'ACTIVE'
  return (
    <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
      {canCancel(billing) && (
        <Button reason={reason} onClick={() => setAsked('cancel', { push: true })}>
          {t.cancelPlan}
        </Button>
      )}
      {billing.cancelAt !== null && <KeepPlan reason={reason} />}
      <Button
        variant="primary"
        reason={reason ?? (isCancelled ? t.keepFirst : null)}
        onClick={() => setAsked('plan', { push: true })}
      >
        {billing.state === 'FREE' || billing.state === 'DELETED' ? t.choosePlan : t.changePlan}
      </Button>
    </div>
  )
}

function KeepPlan({ reason }: { reason: string | null }) {
  const t = useText('billing')
  const { path } = useProject()
  const action = useAction({
    run: () => api.post(`${BILLING}/cancel/undo`, { params: { path }, body: {} }),
    refreshes: CHANGED,
    onDone: () => toast(t.kept),
    onFailure: useFailureToast(),
  })
  return (
    <Button reason={reason} busy={action.busy} onClick={() => action.submit(undefined)}>
      {t.keepPlan}
    </Button>
  )
}

function CancelPlan({ billing: { tier, renewsAt }, onClose }: { billing: Billing; onClose: () => void }) {
  const t = useText('billing')
  const reading = useReading()
  const { path } = useProject()
  return (
    <Removal
      title={t.cancelTitle(TIERS[tier])}
      word={t.cancelPlan}
      done={t.cancelled}
      run={() => api.post(`${BILLING}/cancel`, { params: { path }, body: {} })}
      refreshes={CHANGED}
      onClose={onClose}
    >
      <p>{renewsAt === null ? t.cancelEffect : t.cancelEffectOn(formatDay(reading, renewsAt))}</p>
      <p>{t.cancelStays}</p>
    </Removal>
  )
}
