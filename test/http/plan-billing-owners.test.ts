import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { enqueue } from '../../src/base/jobs/queue'
import { DAY } from '../../src/base/lib/clock'
import { transferProject } from '../../src/operators/members/service'
import { careFor } from '../../src/operators/plan-billing/care'
import { careCron } from '../../src/operators/plan-billing/care-job'
import { deleteProject } from '../../src/projects/project/project-edit'
import { advanceBilling } from '../../src/test-store/billing/care'
import { deliverAllBilling } from '../../src/test-store/billing/loop'
import { confirmWith, failNow } from '../../src/test-store/billing/turns'
import { letters, work } from '../support/accounts'
import { NOW } from '../support/context'
import { arrive, join, type Person } from '../support/crew'
import { dataOf } from '../support/operator'
import { type BillingStage, billingStage, DETAILS, emptyBilling } from '../support/plan-billing'
import { staffId } from '../support/staff'

let b: BillingStage
let ada: Person
let bo: Person
let people = 0
beforeAll(async () => {
  b = await billingStage()
})
beforeEach(async () => {
  b.s.ctx.clock.set(NOW)
  await emptyBilling(b.s)
  await b.s.ctx.write(({ db, tables }) => db.delete(tables.memberships))
  people += 1
  ada = await join(b.s, `ada${people}`, 'OWNER')
  bo = await arrive(b.s, `bo${people}`)
  await dataOf(b.admin().put('/billing/details', DETAILS))
  await dataOf(b.admin().post('/billing/upgrade', { tier: 'INDIE', paymentMethodId: 'pm_card_visa' }))
})
afterAll(() => b.close())

const project = () => b.s.project.id
const advance = (days: number) => advanceBilling(b.s.ctx, project(), days * DAY)
const care = () => careFor(b.s.ctx, project())
const cards = async () => (await dataOf(b.admin().get('/billing/payment-methods'))).items
const mails = async () => (await letters(b.s)).filter(({ kind }) => kind === 'billing_paused')

const transfer = () =>
  b.s.ctx.write(async ({ db, tables }) => {
    const { memberships: m } = tables
    await db.update(m).set({ userId: bo.id }).where(eq(m.userId, ada.id))
  })

const addCard = async () => {
  const { setupClientSecret } = await dataOf(b.admin().post('/billing/payment-methods'))
  await confirmWith(b.s.ctx, project(), setupClientSecret, 'visa')
}

test('a new owner sees no card of the old one, and until when one is needed', async () => {
  await transfer()
  await care()
  expect(await cards()).toEqual([])
  expect(await b.billing()).toMatchObject({
    ...{ state: 'ACTIVE', tier: 'INDIE' },
    cardNeededBy: new Date(NOW + 14 * DAY).toISOString(),
  })
})

test('cards and invoices of another project are not found, and nothing happens to them', async () => {
  b.team.sessions.roles.set(`${staffId('ADMIN')} ${b.s.other.id}`, 'ADMIN')
  const other = (method: string, path: string, body?: object) =>
    b.admin().call(method, `/billing${path}`, body, { projectId: b.s.other.id })
  await join(b.s, `cy${people}`, 'OWNER', b.s.other.id)
  await dataOf(other('PUT', '/details', DETAILS))
  await dataOf(other('POST', '/upgrade', { tier: 'INDIE', paymentMethodId: 'pm_card_visa' }))
  const [card] = await cards()
  const [invoice] = (await dataOf(b.admin().get('/billing/invoices'))).items
  const before = await b.world()
  for (const answer of [
    await other('GET', `/invoices/${invoice.id}`),
    await other('POST', `/payment-methods/${card.id}/default`),
    await other('DELETE', `/payment-methods/${card.id}`),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
  expect(await b.world()).toEqual(before)
  expect(await cards()).toEqual([card])
})

test('a card of the new owner carries the plan on from the end of the paid period, and is charged then', async () => {
  await advance(10)
  await transfer()
  await care()
  await addCard()
  await care()
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE', cardNeededBy: null, cancelAt: null })
  await care()
  expect(Object.keys((await b.world()).subscriptions)).toHaveLength(2)
  await advance(21)
  const { subscriptions, invoices } = await b.world()
  expect(Object.values(subscriptions).map(({ status }) => status)).toEqual(['canceled', 'active'])
  expect(Object.values(invoices).map(({ status }) => status)).toEqual(['paid', 'paid'])
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
})

test('without a card the plan ends with a period, and the old card pays until then', async () => {
  await advance(20)
  await transfer()
  await care()
  await advance(12)
  expect(Object.values((await b.world()).invoices)).toHaveLength(2)
  expect((await b.billing()).cancelAt).toBeNull()
  await advance(2)
  expect((await b.billing()).cancelAt).not.toBeNull()
  await advance(31)
  expect(await b.billing()).toMatchObject({ state: 'FREE', tier: 'FREE' })
  expect(Object.values((await b.world()).invoices)).toHaveLength(2)
})

test('the card of the old owner pays for no higher plan', async () => {
  await transfer()
  await care()
  const { status, body } = await b.admin().post('/billing/upgrade', { tier: 'STUDIO', paymentMethodId: 'pm_card_visa' })
  expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  expect(Object.values((await b.world()).invoices)).toHaveLength(1)
})

test('a new owner takes the place of a subscription that the old one has not paid', async () => {
  await failNow(b.s.ctx, project())
  await transfer()
  await care()
  await dataOf(b.admin().post('/billing/upgrade', { tier: 'INDIE', paymentMethodId: 'pm_card_visa' }))
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  const { subscriptions } = await b.world()
  expect(Object.values(subscriptions).map(({ status }) => status)).toEqual(['canceled', 'active'])
})

test('what the old owner cancelled is not carried on', async () => {
  await dataOf(b.admin().post('/billing/cancel'))
  await transfer()
  await care()
  await addCard()
  await care()
  expect(Object.keys((await b.world()).subscriptions)).toHaveLength(1)
  expect(await b.billing()).toMatchObject({ cardNeededBy: null })
})

test('a project that was given back needs no other card', async () => {
  await transfer()
  await care()
  await b.s.ctx.write(({ db, tables }) => db.update(tables.memberships).set({ userId: ada.id }))
  await care()
  expect(await b.billing()).toMatchObject({ cardNeededBy: null, cancelAt: null })
  expect(await cards()).toHaveLength(1)
})

test('a deleted project is charged no more', async () => {
  const { projects } = b.s.ctx.tables
  const setDeleted = (deletedAt: number | null) =>
    b.s.ctx.write(({ db }) => db.update(projects).set({ deletedAt }).where(eq(projects.id, project())))
  await setDeleted(NOW)
  await care()
  await care()
  await advance(40)
  await setDeleted(null)
  const { subscriptions, invoices } = await b.world()
  expect(Object.values(subscriptions).map(({ status }) => status)).toEqual(['canceled'])
  expect(Object.values(invoices)).toHaveLength(1)
})

test('owners get two mails, 30 and 53 days after the pause, and none once more when the job is repeated', async () => {
  await failNow(b.s.ctx, project())
  await advance(21 + 29)
  expect(await mails()).toEqual([])
  await advance(1)
  await care()
  expect((await mails()).map(({ to }) => to)).toEqual([ada.email])
  await advance(23)
  await care()
  await care()
  expect((await mails()).map(({ to }) => to)).toEqual([ada.email, ada.email])
  await advance(10)
  expect(await mails()).toHaveLength(2)
  expect(await b.billing()).toMatchObject({ state: 'DELETED' })
})

test('the server cares for every project that pays, by the hour, and delivers what came due without a command', async () => {
  b.s.ctx.clock.advance(31 * DAY)
  await deliverAllBilling(b.s.ctx)
  expect(Object.values((await b.world()).invoices).map(({ status }) => status)).toEqual(['paid', 'paid'])
  await transfer()
  const [line] = careCron
  await b.s.ctx.write(async (tx) => void (line && (await enqueue(tx, line.job, line.payload))))
  await work(b.s)
  await work(b.s)
  expect((await b.billing()).cardNeededBy).not.toBeNull()
})

const byAda = () => ({ projectId: project(), actor: { kind: 'USER' as const, id: ada.id, email: ada.email } })

test('a transfer says at once until when the new owner must add a card', async () => {
  const cy = await join(b.s, `cy${people}`, 'ADMIN')
  await transferProject(b.s.ctx, byAda(), cy.id)
  await work(b.s)
  expect((await b.billing()).cardNeededBy).toBe(new Date(NOW + 14 * DAY).toISOString())
})

test('the deletion of a project ends its plan at once', async () => {
  const { projects } = b.s.ctx.tables
  await deleteProject(b.s.ctx, { ...byAda(), expected: null })
  await work(b.s)
  await b.s.ctx.write(({ db }) => db.update(projects).set({ deletedAt: null }).where(eq(projects.id, project())))
  expect(Object.values((await b.world()).subscriptions).map(({ status }) => status)).toEqual(['canceled'])
})
