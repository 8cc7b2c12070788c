import { afterAll, beforeAll, expect, test } from 'bun:test'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { damage, identify, refund, rowOf } from '../support/facts'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
let ada = ''
beforeAll(async () => {
  s = await stage()
  team = staff(s)
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await identify(s, 'svc_ada', 'ada')
  const attributes = { $email: 'ada@example.com', $displayName: 'Ada' }
  await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': 'svc_ada' } })
  await s.receipt('svc_bo', s.buy(COINS))
  ada = (await rowOf(s, 'svc_ada')).id
})
afterAll(() => s.close())

const itemsOf = async (path: string) => {
  const { status, body } = await team.as('CUSTOMER_SUPPORT').get(path)
  expect([path, status]).toEqual([path, 200])
  return body.data.items
}

const ADA = { appUserId: 'ada', email: 'ada@example.com', displayName: 'Ada', country: 'US' }
const person = () => ({ subscriberId: ada, ...ADA })

test('lists of money say whose it is and the name of the product', async () => {
  const product = { productIdentifier: 'pro_monthly', productName: 'pro_monthly', store: 'IOS_STORE' }
  for (const path of ['/subscriptions', `/transactions?subscriberId=${ada}`])
    expect(await itemsOf(path)).toMatchObject([{ ...product, person: person() }])
})

test('events, deliveries and people have the same person', async () => {
  const [event] = await itemsOf(`/events?subscriberId=${ada}`)
  expect(event.person).toMatchObject(person())
  const people = await itemsOf('/subscribers?q=ada@')
  expect(people).toMatchObject([{ id: ada, person: person(), access: ['pro'], leadingAccess: 'pro' }])
})

test('of an erased person only the id is left', async () => {
  await s.receipt('svc_gone', s.buy(MONTHLY))
  const gone = await rowOf(s, 'svc_gone')
  await damage(s, gone.id, { attributes: {}, appUserId: null, erasedAt: s.ctx.clock.now() })
  const [line] = await itemsOf(`/transactions?subscriberId=${gone.id}`)
  expect(line.person).toEqual({
    subscriberId: gone.id,
    appUserId: null,
    deviceKey: null,
    email: null,
    displayName: null,
    country: 'US',
  })
})

test('the access that matters leads: the lost one, not one that was never bought', async () => {
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_cy', bought)
  await s.receipt('svc_cy', refund(s, bought))
  const { id } = await rowOf(s, 'svc_cy')
  const { body } = await team.as('CUSTOMER_SUPPORT').get(`/subscribers/${id}`)
  expect([body.data.access, body.data.leadingAccess]).toEqual([{}, 'pro'])
  const [listed] = await itemsOf('/subscribers?q=svc_cy')
  expect([listed.access, listed.leadingAccess]).toEqual([[], 'pro'])
  const [never] = await itemsOf('/subscribers?q=svc_bo')
  expect(never.leadingAccess).toBeNull()
})
