import { Elysia } from 'elysia'
import { enqueue } from '../../base/jobs/queue'
import { CircuitBreaker } from '../../base/lib/circuit'
import { slice } from '../../base/slice'
import { cardFormRoutes } from './card-form'
import { cardRoutes } from './card-routes'
import { careCron, careJob } from './care-job'
import { planRoutes } from './routes'
import { billingWebhookRoutes } from './webhook-routes'

/** How projects pay for their plans. */
export const planBilling = slice({
  name: 'planBilling',
  state: { billingCircuit: () => new CircuitBreaker() },
  operatorRoutes: (ctx) => new Elysia().use(planRoutes(ctx)).use(cardRoutes(ctx)),
  publicRoutes: (ctx) => new Elysia().use(billingWebhookRoutes(ctx)).use(cardFormRoutes(ctx)),
  jobs: [careJob],
  cron: careCron,
  onPlanByHand: (tx, projectId) => enqueue(tx, careJob, { projectId }).then(() => undefined),
})
