import { afterEach, beforeEach, expect, test } from 'bun:test'
import { allRows, disconnect, onlyPurchase } from '../support/actions'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { access } from '../support/facts'
import { person } from '../support/sessions'
import { staff, staffId } from '../support/staff'

let s: AndroidStage
/** The stage has a public address, at which the cookies of `staff` have another name. */
const TOKEN = 'svc_pat_owner'
beforeEach(async () => {
  s = await androidStage()
  const user = person(staffId('OWNER'))
  staff(s).sessions.tokens.set(TOKEN, { id: 'pat_1', user, scopes: null, expiresAt: null, revokedAt: null })
  await s.token('svc_ada', s.server.store.subscribe(ANDROID_MONTHLY), 'pro_monthly')
  await s.deliverAll()
})
afterEach(() => s.close())

const refund = async (body: object = {}) => {
  const path = `/dashboard/projects/${s.project.id}/subscriptions/${(await onlyPurchase(s)).id}/refund`
  return s.call('POST', path, { key: TOKEN, body })
}
const orders = () => s.server.requests.filter(({ path }) => path.endsWith(':refund'))

test('a refund revokes the order at the store, once', async () => {
  const shown = await refund({ dryRun: true })
  expect(shown.body.data).toMatchObject({ dryRun: true, result: { purchase: { status: 'REFUNDED' } } })
  expect(orders()).toEqual([])
  expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  expect((await refund()).body.data.purchase.status).toBe('REFUNDED')
  expect(orders().map(({ query }) => query)).toEqual(['?revoke=true'])
  expect(await access(s, 'svc_ada')).toEqual({})
})

test('without credentials neither a refund nor its dry run is possible', async () => {
  await disconnect(s, 'android')
  const before = await allRows(s)
  for (const body of [{}, { dryRun: true }]) {
    const answer = await refund(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'STORE_NOT_CONFIGURED'])
  }
  expect(await allRows(s)).toEqual(before)
  expect(orders()).toEqual([])
})
