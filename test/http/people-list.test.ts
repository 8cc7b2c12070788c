import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage()
  team = staff(s)
})
afterAll(() => s.close())
test('x', async () => {
  await s.get('/v1/me', 'svc_ada')
  await s.post('/v1/identify', { deviceKey: 'svc_ada', appUserId: 'ada' })
  const a = await team.as('CUSTOMER_SUPPORT').get('/subscribers')
  console.log(JSON.stringify(a.body), a.status)
  const id = a.body.data.items[0].id
  for (const p of ['', '/timeline', '/ledger', '/explain/pro']) {
    const b = await team.as('CUSTOMER_SUPPORT').get(`/subscribers/${id}${p}`)
    console.log(b.status, JSON.stringify(b.body))
  }
  for (const p of [
    '/search?q=ad',
    '/transfers',
    '/subscribers?bogus=1',
    '/subscribers?q=svc_a',
    '/subscribers?status=NO',
    '/subscribers?cursor=abc',
  ]) {
    const b = await team.as('DEVELOPER').get(p)
    console.log(b.status, JSON.stringify(b.body))
  }
  const c = await team
    .as('ADMIN')
    .post(`/subscribers/${id}/credits`, { code: 'coins', amount: 5, idempotencyKey: 'a', dryRun: true })
  console.log(c.status, JSON.stringify(c.body))
})
