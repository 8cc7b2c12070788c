import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { deliverBilling } from '../../src/test-store/billing/scene'
import { confirmWith } from '../../src/test-store/billing/turns'
import { NOW } from '../support/context'
import { dataOf } from '../support/operator'
import { type BillingStage, billingStage, DETAILS, emptyBilling } from '../support/plan-billing'
import { staffId } from '../support/staff'

let b: BillingStage
beforeAll(async () => {
  b = await billingStage()
  b.team.sessions.roles.set(`${staffId('ADMIN')} ${b.s.other.id}`, 'ADMIN')
})
beforeEach(async () => {
  b.s.ctx.clock.set(NOW)
  await emptyBilling(b.s)
  for (const id of [project(), b.s.other.id]) await dataOf(of(id, 'PUT', '/details', DETAILS))
})
afterAll(() => b.close())

const project = () => b.s.project.id
const of = (projectId: string, method: string, path: string, body?: object) =>
  b.admin().call(method, `/billing${path}`, body, { projectId })
const buy = (projectId: string, tier: string, paymentMethodId?: string) =>
  of(projectId, 'POST', '/upgrade', { tier, ...(paymentMethodId && { paymentMethodId }) })
const refused = async (call: ReturnType<typeof of>) => {
  const { status, body } = await call
  return [status, body.error?.code, body.error?.message]
}

test('each project has its own plan, and no event of one changes the other', async () => {
  await dataOf(buy(project(), 'INDIE', 'pm_card_visa'))
  await dataOf(buy(b.s.other.id, 'STUDIO', 'pm_card_visa'))
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  expect(await dataOf(of(b.s.other.id, 'GET', ''))).toMatchObject({ state: 'ACTIVE', tier: 'STUDIO' })
})

test('events of the store that could not be received are delivered again, so that what was paid for holds', async () => {
  const { ctx } = b.s
  const write = ctx.write.bind(ctx)
  const { clientSecret } = await dataOf(buy(project(), 'INDIE'))
  let writes = 0
  // The first write confirms, the second reads what is due, the third records an event.
  const ends = Object.assign(Object.create(ctx), {
    write: (...work: Parameters<typeof write>) => {
      writes += 1
      if (writes > 2) throw new Error('the process ends')
      return write(...work)
    },
  })
  await expect(confirmWith(ends, project(), clientSecret, 'visa')).rejects.toThrow('the process ends')
  expect(await b.billing()).toMatchObject({ state: 'FREE' })
  expect(await deliverBilling(ctx, project())).toContain('customer.subscription.updated')
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  expect(await deliverBilling(ctx, project())).toEqual([])
})

test('what was begun for another plan can be paid no more, and its invoice is void', async () => {
  const { clientSecret } = await dataOf(buy(project(), 'INDIE'))
  await dataOf(buy(project(), 'STUDIO', 'pm_card_visa'))
  await expect(confirmWith(b.s.ctx, project(), clientSecret, 'visa')).rejects.toThrow()
  const { items } = await dataOf(of(project(), 'GET', '/invoices'))
  const byTotal = Object.fromEntries(items.map(({ total, status }: Record<string, string>) => [total, status]))
  expect(byTotal).toEqual({ '29.00': 'void', '199.00': 'paid' })
})

test('a refusal says what holds already', async () => {
  await dataOf(buy(project(), 'STUDIO', 'pm_card_visa'))
  const code = 'BILLING_NOTHING_TO_CANCEL'
  expect(await refused(of(project(), 'POST', '/cancel/undo', {}))).toEqual([409, code, 'The plan is not cancelled'])
  const { cancelAt } = await dataOf(of(project(), 'POST', '/cancel', {}))
  const message = `The plan is cancelled already, and ends at ${cancelAt}`
  expect(await refused(of(project(), 'POST', '/cancel', {}))).toEqual([409, code, message])
  await dataOf(of(project(), 'POST', '/cancel/undo', {}))
  await dataOf(buy(project(), 'INDIE'))
  expect(await refused(buy(project(), 'INDIE'))).toEqual([
    ...[409, 'BILLING_ALREADY_ACTIVE'],
    'The plan INDIE starts with the next period already',
  ])
})
