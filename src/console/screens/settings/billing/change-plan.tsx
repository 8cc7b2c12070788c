import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Facts } from '../../../kit/card'
import { Dialog } from '../../../kit/dialog'
import { Skeleton } from '../../../kit/empty'
import { Failure, FormFailure } from '../../../kit/failure'
import { Field, Select } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { Money } from '../../../kit/values'
import { formatBytes, formatMoney, formatNumber } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { firstReason, usePreview } from '../../../parts/preview'
import { useText } from '../../../text/catalogue'
import {
  BILLING,
  type Billing,
  CHANGED,
  cardName,
  firstChoice,
  type Plan,
  type PricedPlan,
  pricedPlans,
  TEST_CARDS,
  TIERS,
} from './billing-model'
import { ConfirmCard } from './confirm-card'
import { DetailsForm } from './details'
import { useBillingReason, useCards, useDetails } from './use-billing'

interface ChangeProps {
  billing: Billing
  plans: readonly Plan[]
  onClose: () => void
}

/** Chooses a plan: first whom the invoices are for, then the plan, then what the bank asks for. */
export function ChangePlan({ billing, plans, onClose }: ChangeProps) {
  const t = useText('billing')
  const details = useDetails()
  const [confirmation, setConfirmation] = useState<{ secret: string; kind: 'payment' | 'setup' } | null>(null)
  return (
    <Dialog title={t.changePlan} onClose={onClose}>
      {details.error && !details.data && <Failure error={details.error} onRetry={() => void details.refetch()} />}
      {!details.data && !details.error && <Skeleton lines={6} />}
      {details.data?.details === null && (
        <>
          <p className="text-sm text-ink-2">{t.detailsFirst}</p>
          <DetailsForm saved={null} />
        </>
      )}
      {details.data?.details && confirmation === null && (
        <PlanForm billing={billing} plans={pricedPlans(plans)} onConfirm={setConfirmation} onClose={onClose} />
      )}
      {confirmation && <ConfirmCard {...confirmation} billing={billing} onDone={onClose} />}
    </Dialog>
  )
}

interface PlanFormProps {
  billing: Billing
  plans: readonly PricedPlan[]
  onConfirm: (confirmation: { secret: string; kind: 'payment' | 'setup' }) => void
  onClose: () => void
}

function PlanForm({ billing, plans, onConfirm, onClose }: PlanFormProps) {
  const t = useText('billing')
  const reading = useReading()
  const { path } = useProject()
  const reason = useBillingReason()
  const [tier, setTier] = useState(firstChoice(billing, plans))
  const [cardId, setCardId] = useCardChoice(billing)
  const plan = plans.find((one) => one.tier === tier)
  const send = (body: Schemas['BillingUpgrade']) => api.post(`${BILLING}/upgrade`, { params: { path }, body })
  const preview = usePreview(['upgrade', path.projectId, tier], () => send({ tier, dryRun: true }), true)
  const action = useAction({
    run: () => send({ tier, ...(cardId !== '' && { paymentMethodId: cardId }) }),
    refreshes: CHANGED,
    onDone: ({ clientSecret, kind }) => {
      if (clientSecret !== null) return onConfirm({ secret: clientSecret, kind: kind ?? 'payment' })
      toast(t.planAsked(TIERS[tier]))
      onClose()
    },
  })
  const label = ({ tier: name, monthly }: PricedPlan) =>
    `${TIERS[name]}, ${t.aMonth(formatMoney(reading, monthly.amountMicros, monthly.currency))}`
  return (
    <Form
      submit={billing.state === 'PAST_DUE' && tier === billing.tier ? t.payNow : t.choosePlanNamed(TIERS[tier])}
      busy={action.busy}
      error={action.error}
      isWaiting={preview.isWaiting}
      reason={firstReason(reason, preview.error)}
      onCancel={onClose}
      onSubmit={() => action.submit(undefined)}
    >
      {billing.state === 'PAUSED' && <p className="text-sm text-ink-2">{t.samePlanPays}</p>}
      <Field label={t.plan} name="tier">
        <Select
          value={tier}
          options={plans.map((one) => [one.tier, label(one)] as const)}
          onChange={({ target }) => setTier(plans.find((one) => one.tier === target.value)?.tier ?? tier)}
        />
      </Field>
      {plan && <Includes plan={plan} />}
      <CardField billing={billing} cardId={cardId} onChange={setCardId} />
      <FormFailure error={preview.error} />
      <Costs costs={preview.data} />
    </Form>
  )
}

/** The provider's default card without a choice; a test card where there is none at the test store. */
function useCardChoice({ publishableKey }: Billing) {
  const cards = useCards()
  const [chosen, choose] = useState<string | null>(null)
  const hasNone = cards.data?.items.length === 0
  return [chosen ?? (publishableKey === null && hasNone ? TEST_CARDS[0][0] : ''), choose] as const
}

interface CardFieldProps {
  billing: Billing
  cardId: string
  onChange: (id: string) => void
}

function CardField({ billing: { publishableKey }, cardId, onChange }: CardFieldProps) {
  const t = useText('billing')
  const cards = useCards().data?.items ?? []
  const main = cards.find(({ isDefault }) => isDefault)
  const others = cards.filter((card) => card !== main)
  const test = publishableKey === null ? TEST_CARDS : []
  const options = [
    ...(main ? [['', cardName(main)] as const] : []),
    ...others.map((card) => [card.id, cardName(card)] as const),
    ...test.map(([id, outcome]) => [id, t.testCard(id, t.testOutcome[outcome])] as const),
  ]
  if (options.length === 0) return <p className="text-sm text-ink-2">{t.cardAskedNext}</p>
  return (
    <Field label={t.card} hint={publishableKey === null ? t.testStorePays : undefined} name="paymentMethodId">
      <Select value={cardId} options={options} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

function Includes({ plan: { meters, storageBytes, retentionDays } }: { plan: PricedPlan }) {
  const t = useText('billing')
  const u = useText('usage')
  const reading = useReading()
  const written = (count: number | null) => (count === null ? u.withoutLimit : formatNumber(reading, count))
  return (
    <Facts
      items={[
        ...meters.map(({ name, included }) => [t.eachMonth(u.meterName[name]), written(included)] as const),
        [t.storage, storageBytes === null ? u.withoutLimit : formatBytes(reading, storageBytes)],
        [t.retention, t.days(formatNumber(reading, retentionDays))],
      ]}
    />
  )
}

/** What the provider reckons. Without an answer there is no amount. */
function Costs({ costs }: { costs: Pick<Schemas['BillingUpgradeAnswer'], 'dueNow' | 'nextAmount'> | null }) {
  const t = useText('billing')
  const money = (amount: Schemas['BillingMoney'] | undefined) =>
    amount && <Money key="money" micros={amount.amountMicros} currency={amount.currency} />
  return (
    <div aria-live="polite" className="[&_dd]:font-medium">
      <Facts
        items={[
          [t.dueNow, money(costs?.dueNow) ?? '—'],
          [t.nextAmount, money(costs?.nextAmount) ?? '—'],
        ]}
      />
    </div>
  )
}
