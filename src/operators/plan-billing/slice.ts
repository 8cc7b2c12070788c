import { Elysia } from 'elysia'
import type { Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { CircuitBreaker } from '../../base/lib/circuit'
import { slice } from '../../base/slice'
import { cardFormRoutes } from './card-form'
import { cardRoutes } from './card-routes'
import { careCron, careJob } from './care-job'
import { planRoutes } from './routes'
import { billingWebhookRoutes } from './webhook-routes'

/** What a change means for the billing of the project is done right after it, and not only at the next full hour. */
async function careSoon(tx: Tx, projectId: string): Promise<void> {
  if (tx.config.cloud) await enqueue(tx, careJob, { projectId })
}

/** How projects pay for their plans. */
export const planBilling = slice({
  name: 'planBilling',
  state: { billingCircuit: () => new CircuitBreaker() },
  operatorRoutes: (ctx) => new Elysia().use(planRoutes(ctx)).use(cardRoutes(ctx)),
  publicRoutes: (ctx) => new Elysia().use(billingWebhookRoutes(ctx)).use(cardFormRoutes(ctx)),
  jobs: [careJob],
  cron: careCron,
  onPlanByHand: careSoon,
  onDeleteProject: careSoon,
  onTransferProject: careSoon,
})
