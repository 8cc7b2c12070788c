import { useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card, Columns, Stack } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { UsageBudget } from '../usage-budget'
import { BILLING, type Billing, type Plan } from './billing-model'
import { Cards } from './cards'
import { DetailsCard } from './details'
import { Invoices } from './invoices'
import { PlanCard } from './plan-card'
import { StateBands } from './state-bands'
import { UsageCard } from './usage-card'

/** What the project pays for, and how. Only where the server charges projects. */
export default function BillingScreen() {
  const t = useText('billing')
  const c = useText('common')
  const { path } = useProject()
  const billing = useRead(BILLING, { params: { path } })
  const plans = useRead('/dashboard/billing/plans', {})
  const usage = useRead('/dashboard/projects/{projectId}/usage', { params: { path, query: {} } })
  const error = billing.error ?? plans.error ?? usage.error
  const retry = () => void Promise.all([billing.refetch(), plans.refetch(), usage.refetch()])
  return (
    <Page title={c.planAndBilling} purpose={t.purpose}>
      {billing.data && plans.data && usage.data ? (
        <Content billing={billing.data} plans={plans.data.items} usage={usage.data} />
      ) : (
        <Card>{error ? <Failure error={error} onRetry={retry} /> : <Skeleton lines={12} />}</Card>
      )}
    </Page>
  )
}

interface ContentProps {
  billing: Billing
  plans: readonly Plan[]
  usage: Schemas['Usage']
}

/** Cards, invoices and details are for those who may change them. */
function Content({ billing, plans, usage }: ContentProps) {
  const { hasRole } = useProject()
  const isAdmin = hasRole('ADMIN')
  return (
    <Stack>
      <StateBands billing={billing} />
      <Columns
        main={
          <>
            <PlanCard billing={billing} plans={plans} />
            {isAdmin && <Invoices />}
            {isAdmin && <DetailsCard />}
          </>
        }
        side={
          <>
            <UsageCard usage={usage} />
            {isAdmin && <Cards billing={billing} />}
            {isAdmin && usage.meters.some(({ name, limit }) => name === 'events' && limit !== null) && <UsageBudget />}
          </>
        }
      />
    </Stack>
  )
}
