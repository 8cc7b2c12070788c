import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { give, identify, rowOf } from '../support/facts'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage()
  team = staff(s)
  await s.receipt('svc_sandbox', s.buy(MONTHLY))
  await s.receipt('svc_real', s.buy(MONTHLY))
  await s.get('/v1/me', 'svc_new')
  await identify(s, 'svc_sandbox', 'tester')
  const { purchases: p, events: e } = s.ctx.tables
  const real = (await rowOf(s, 'svc_real')).id
  await s.ctx.write(async (tx) => {
    await tx.db.update(p).set({ environment: 'PRODUCTION' }).where(eq(p.subscriberId, real))
    await tx.db.update(e).set({ environment: 'PRODUCTION' }).where(eq(e.subscriberId, real))
  })
})
afterAll(() => s.close())

async function itemsOf(path: string) {
  const { status, body } = await team.as('DEVELOPER').get(path)
  expect([path, status]).toEqual([path, 200])
  return body.data.items
}

const devices = async (query: string) =>
  (await itemsOf(`/subscribers${query}`)).map(({ deviceKey }: { deviceKey: string }) => deviceKey).sort()

describe('people', () => {
  test('are in production unless they bought only in the sandbox', async () => {
    expect(await devices('?environment=PRODUCTION')).toEqual(['svc_new', 'svc_real'])
    expect(await devices('?environment=SANDBOX')).toEqual(['svc_sandbox'])
    expect(await devices('')).toEqual(['svc_new', 'svc_real', 'svc_sandbox'])
    for (const { deviceKey, environment } of await itemsOf('/subscribers'))
      expect([deviceKey, environment]).toEqual([deviceKey, deviceKey === 'svc_sandbox' ? 'SANDBOX' : 'PRODUCTION'])
  })

  test('are filtered in a search and by access too', async () => {
    expect(await devices('?q=svc_&environment=SANDBOX')).toEqual(['svc_sandbox'])
    expect(await devices('?access=pro&environment=PRODUCTION')).toEqual(['svc_real'])
  })

  test('with a grant stay where they bought', async () => {
    await give(s, 'tester', 5, 'given')
    expect(await devices('?environment=SANDBOX')).toEqual(['svc_sandbox'])
  })

  test('have it in their own answer', async () => {
    const { id } = await rowOf(s, 'svc_sandbox')
    expect((await team.as('DEVELOPER').get(`/subscribers/${id}`)).body.data.environment).toBe('SANDBOX')
  })
})

test('events are filtered, in pages too', async () => {
  for (const environment of ['PRODUCTION', 'SANDBOX']) {
    const items = await itemsOf(`/events?environment=${environment}&limit=1000`)
    expect(new Set(items.map((one: { environment: string }) => one.environment))).toEqual(new Set([environment]))
    const { body } = await team.as('DEVELOPER').get(`/events?environment=${environment}&limit=1`)
    const other = environment === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX'
    const next = await team.as('DEVELOPER').get(`/events?environment=${other}&limit=1&cursor=${body.data.nextCursor}`)
    expect(next.status).toBe(400)
  }
})

test('another environment is refused', async () => {
  for (const path of ['/subscribers', '/events', '/webhook-deliveries'])
    expect((await team.as('DEVELOPER').get(`${path}?environment=TEST`)).status).toBe(400)
})
