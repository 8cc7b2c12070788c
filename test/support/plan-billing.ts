import { readWorld } from '../../src/test-store/billing/queries'
import { type Stage, stage } from './cast'
import { dataOf } from './operator'
import { type Staff, staff } from './staff'

export const WEBHOOK_SECRET = 'whsec_plan_billing'

export const DETAILS = {
  name: 'Sleep Ltd',
  address: { line1: '1 High Street', city: 'Dublin', postalCode: 'D01', country: 'IE' },
  taxId: 'IE1234567X',
}

export interface BillingStage {
  s: Stage
  team: Staff
  admin(): ReturnType<Staff['as']>
  billing(): Promise<Record<string, unknown>>
  world(): ReturnType<typeof readWorld>
  close(): Promise<void>
}

/** A deployment that bills its projects through the test store. */
export async function billingStage(env: Record<string, string> = {}): Promise<BillingStage> {
  const s = await stage({ env: { SVC_CLOUD: '1', SVC_BILLING_WEBHOOK_SECRET: WEBHOOK_SECRET, ...env } })
  const team = staff(s)
  const admin = () => team.as('ADMIN')
  return {
    ...{ s, team, admin },
    billing: () => dataOf(admin().get('/billing')),
    world: () => readWorld(s.ctx, s.project.id),
    close: () => s.close(),
  }
}

/** Forgets all billing of the deployment. */
export const emptyBilling = ({ ctx }: Stage): Promise<void> =>
  ctx.write(async ({ db, tables }) => {
    const { billingAccounts, billingCustomers, billingEvents, simulatorBilling, planChanges, mails, jobs } = tables
    for (const table of [billingAccounts, billingCustomers, billingEvents, simulatorBilling, planChanges, mails, jobs])
      await db.delete(table)
  })

/** How the provider signs a body. */
export function signed(text: string, seconds: number, secret = WEBHOOK_SECRET): Record<string, string> {
  const v1 = new Bun.CryptoHasher('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${v1}` }
}
