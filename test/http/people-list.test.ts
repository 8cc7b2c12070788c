import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { writeCursor } from '../../src/base/http/list'
import { DAY } from '../../src/base/lib/clock'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { damage, identify, refund, rowOf } from '../support/facts'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage()
  team = staff(s)
  for (const [device, platform] of PEOPLE) {
    s.ctx.clock.advance(1000)
    await s.get('/v1/me', device, { headers: { 'x-svc-platform': platform } })
  }
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await s.receipt('svc_ada', s.buy(YEARLY))
  await s.receipt('svc_bo', s.buy(COINS))
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_cy', bought)
  await s.receipt('svc_cy', refund(s, bought))
  await identify(s, 'svc_bo', 'bo@home')
  await s.ctx.write((tx) => tx.db.update(tx.tables.transactions).set({ environment: 'PRODUCTION' }))
})
afterAll(() => s.close())

const PEOPLE = [
  ['svc_ada', 'ios'],
  ['svc_bo', 'android'],
  ['svc_cy', 'ios'],
  ['svc_dee', 'web'],
] as const

interface Item {
  id: string
  deviceKey: string
  access: string[]
  lifetimeSpend: { amountMicros: number; currency: string }
}

const list = (query = '') => team.as('CUSTOMER_SUPPORT').get(`/subscribers${query}`)

async function devices(query = ''): Promise<string[]> {
  const { status, body } = await list(query)
  expect(status).toBe(200)
  return body.data.items.map(({ deviceKey }: Item) => deviceKey)
}

/** All pages of one item each. */
async function paged(query: string): Promise<string[]> {
  const seen: string[] = []
  for (let cursor = '', turn = 0; turn < 50; turn++) {
    const { status, body } = await list(`?limit=1${query}${cursor}`)
    expect(status).toBe(200)
    seen.push(...body.data.items.map(({ deviceKey }: Item) => deviceKey))
    if (body.data.nextCursor === null) return seen
    cursor = `&cursor=${body.data.nextCursor}`
  }
  throw new Error('the list has no end')
}

const ALL = ['svc_dee', 'svc_cy', 'svc_bo', 'svc_ada']

describe('the list of subscribers', () => {
  test('has everybody once, newest first, with access and what they spent', async () => {
    expect(await devices()).toEqual(ALL)
    const { body } = await list()
    const items: Item[] = body.data.items
    expect(items.map(({ access }) => access)).toEqual([[], [], [], ['coach', 'pro']])
    const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
    expect(items.map(({ lifetimeSpend }) => lifetimeSpend)).toEqual([usd(0), usd(0), usd(990_000), usd(89_980_000)])
  })

  test('reads the same in pages, whatever the filter', async () => {
    for (const query of ['', '&q=svc_', '&platform=ios', '&access=pro', '&status=ACTIVE'])
      expect(await paged(query)).toEqual(await devices(`?limit=200${query}`))
  })

  test('by platform', async () => {
    expect(await devices('?platform=ios')).toEqual(['svc_cy', 'svc_ada'])
    expect(await devices('?platform=web')).toEqual(['svc_dee'])
  })

  test('by access: once each, however many purchases give it', async () => {
    expect(await devices('?access=pro')).toEqual(['svc_ada'])
    expect(await paged('&access=pro')).toEqual(['svc_ada'])
    expect(await devices('?access=nothing')).toEqual([])
  })

  test('by status of a purchase', async () => {
    expect(await devices('?status=REFUNDED')).toEqual(['svc_cy'])
    expect((await devices('?status=ACTIVE')).sort()).toEqual(['svc_ada', 'svc_bo'])
    expect(await devices('?status=ACTIVE&access=pro')).toEqual(['svc_ada'])
    expect(await devices('?status=REFUNDED&access=pro')).toEqual([])
    expect(await devices('?status=GRACE_PERIOD')).toEqual([])
  })

  test('by the beginning of a name, joined with filters', async () => {
    expect(await devices('?q=bo@')).toEqual(['svc_bo'])
    expect(await devices('?q=svc_&platform=ios')).toEqual(['svc_ada', 'svc_cy'])
    expect(await devices('?q=svc_&access=pro')).toEqual(['svc_ada'])
    expect(await devices('?q=nobody')).toEqual([])
  })

  test('inside names too, each once, in pages', async () => {
    expect(await devices('?q=home')).toEqual(['svc_bo'])
    expect(await devices('?q=c_')).toEqual(ALL)
    expect(await paged('&q=c_')).toEqual(ALL)
    expect(await devices('?q=c_&platform=ios')).toEqual(['svc_cy', 'svc_ada'])
    for (const q of ['%25', '__', 'v%25_']) expect(await devices(`?q=${q}c_`)).toEqual([])
  })

  test('once each, although the label and the address both begin with the text', async () => {
    const own = await stage()
    await own.get('/v1/me', 'svc_nora')
    await identify(own, 'svc_nora', 'nora.smith')
    const email = { attributes: { $email: 'nora.smith@example.com' } }
    await own.post('/v1/me/attributes', email, { headers: { 'x-svc-app-user-id': 'svc_nora' } })
    const members = staff(own).as('OWNER')
    for (const q of ['nora', 'nora.smith', 'smith', 'mith@'])
      expect([q, (await members.get(`/subscribers?q=${q}&limit=100`)).body.data.items.length]).toEqual([q, 1])
    await own.close()
  })

  test('by an id of what they bought, here or at the store', async () => {
    const { purchases: p, transactions: t } = s.ctx.tables
    const owner = (await rowOf(s, 'svc_bo')).id
    const [purchase] = await s.ctx.db.select().from(p).where(eq(p.subscriberId, owner))
    const [line] = await s.ctx.db.select().from(t).where(eq(t.subscriberId, owner))
    const ids = [purchase?.id, purchase?.originalTransactionId, line?.id, line?.storeTransactionId]
    for (const id of ids) {
      expect([id, await devices(`?q=${id}`)]).toEqual([id, ['svc_bo']])
      expect(await paged(`&q=${id}`)).toEqual(['svc_bo'])
    }
    expect(await devices(`?q=${purchase?.id}&platform=ios`)).toEqual([])
    expect(await devices(`?q=${String(purchase?.originalTransactionId).slice(0, 5)}`)).toEqual([])
  })

  test('those that one beginning of a store id finds, in pages', async () => {
    const { transactions: t } = s.ctx.tables
    const lines = await s.ctx.db.select().from(t)
    const start = String(lines[0]?.storeTransactionId).slice(0, 6)
    const found = lines.filter(({ storeTransactionId }) => storeTransactionId?.startsWith(start))
    const owners = new Set(found.map(({ subscriberId }) => subscriberId))
    const all = await devices(`?limit=200&q=${start}`)
    expect([all.length, new Set(all).size]).toEqual([owners.size, owners.size])
    expect(await paged(`&q=${start}`)).toEqual(all)
  })

  test('by audience', async () => {
    const { audiences: a } = s.ctx.tables
    const row = (id: string, projectId: string, rules: object) => {
      const at = s.ctx.clock.now()
      return {
        id,
        projectId,
        name: id,
        description: null,
        rules: { ...rules },
        isDefault: false,
        createdAt: at,
        updatedAt: at,
      }
    }
    const ios = { 'svc.platform': 'ios' }
    await s.ctx.write((tx) =>
      tx.db.insert(a).values([row('aud_ios', s.project.id, ios), row('aud_theirs', s.other.id, {})]),
    )
    expect(await devices('?audienceId=aud_ios')).toEqual(['svc_cy', 'svc_ada'])
    expect(await paged('&audienceId=aud_ios')).toEqual(['svc_cy', 'svc_ada'])
    expect(await devices('?audienceId=aud_ios&access=pro')).toEqual(['svc_ada'])
    for (const id of ['aud_unknown', 'aud_theirs']) expect((await list(`?audienceId=${id}`)).status).toBe(404)
  })

  test('access ends with the clock, before any sweep', async () => {
    const own = await stage()
    const members = staff(own)
    await own.receipt('svc_ada', own.buy(MONTHLY))
    const ask = async (query: string) => (await members.as('OWNER').get(`/subscribers?${query}`)).body.data.items.length
    expect([await ask('access=pro'), await ask('status=ACTIVE')]).toEqual([1, 1])
    own.ctx.clock.advance(40 * DAY)
    expect([await ask('access=pro'), await ask('status=ACTIVE')]).toEqual([0, 0])
    await own.close()
  })

  test('merged and erased people are not in it', async () => {
    const own = await stage()
    const members = staff(own)
    for (const device of ['one', 'two']) {
      await own.get('/v1/me', device)
      await identify(own, device, 'same')
    }
    await own.get('/v1/me', 'gone')
    await damage(own, (await rowOf(own, 'gone')).id, { erasedAt: own.ctx.clock.now() })
    const ask = async (query: string) => (await members.as('OWNER').get(`/subscribers?${query}`)).body.data.items
    expect(await ask('limit=50')).toHaveLength(1)
    for (const q of ['one', 'two', 'same']) expect(await ask(`q=${q}`)).toHaveLength(1)
    expect(await ask('q=gone')).toEqual([])
    await own.close()
  })
})

test('a filter that nobody of many passes ends its pages at a bound, and goes on from there', async () => {
  const own = await stage()
  const members = staff(own)
  await own.get('/v1/me', 'svc_first', { headers: { 'x-svc-platform': 'web' } })
  const { subscribers: t } = own.ctx.tables
  const row = await rowOf(own, 'svc_first')
  const copies = Array.from({ length: 1500 }, (_, index) => {
    const number = String(index).padStart(26, '0')
    return { ...row, id: `sub_z${number.slice(1)}`, deviceKey: `many_${number}`, attributes: {} }
  })
  await own.ctx.write(async (tx) => {
    for (let start = 0; start < copies.length; start += 100)
      await tx.db.insert(t).values(copies.slice(start, start + 100))
  })
  const first = await members.as('OWNER').get('/subscribers?platform=web')
  expect(first.body.data.items).toEqual([])
  expect(first.body.data.nextCursor).toBeString()
  const second = await members.as('OWNER').get(`/subscribers?platform=web&cursor=${first.body.data.nextCursor}`)
  expect(second.body.data.items.map(({ deviceKey }: Item) => deviceKey)).toEqual(['svc_first'])
  expect(second.body.data.nextCursor).toBeNull()
  await own.close()
})

describe('what is refused', () => {
  const BAD = [
    'q=a',
    'status=active',
    'platform=tv',
    'limit=0',
    'limit=201',
    'limit=x',
    'nonsense=1',
    'cursor=AAAA',
    'access=',
  ]
  for (const query of BAD)
    test(`?${query} is 400`, async () => {
      const { status, body } = await list(`?${query}`)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    })

  test('a cursor of another filter, another list or another project is 400', async () => {
    const { body } = await list('?limit=1')
    const cursor = `limit=1&cursor=${body.data.nextCursor}`
    for (const path of ['/subscribers?platform=ios&', '/subscribers?q=svc_&', '/subscriptions?', '/transfers?'])
      expect((await team.as('OWNER').get(path + cursor)).status).toBe(400)
    team.sessions.roles.set(`usr_owner ${s.other.id}`, 'OWNER')
    const other = await team.as('OWNER').get(`/subscribers?${cursor}`, { projectId: s.other.id })
    const theirs = await team.as('OWNER').get('/subscribers', { projectId: s.other.id })
    team.sessions.roles.delete(`usr_owner ${s.other.id}`)
    expect([other.status, theirs.body.data.items]).toEqual([400, []])
  })

  test('a cursor that a client has written by itself is 400 or a page, never a fault', async () => {
    const forged: [path: string, scope: (string | null)[], position: (string | number)[]][] = [
      ['/subscribers?q=svc_', ['subscribers', s.project.id, 'svc_', null, null, null, null], ['x', 'y', 'z']],
      ['/transfers?', ['transfers', s.project.id], ['then', 'trf_1']],
      ['/transactions?', ['transactions', s.project.id, ...Array(8).fill(null)], [1.5, 'txn_1']],
    ]
    for (const [path, scope, position] of forged) {
      const { status } = await team.as('OWNER').get(`${path}&cursor=${writeCursor(position, scope)}`)
      expect([path, status]).toEqual([path, 400])
    }
    const scope = ['subscribers', s.project.id, ...Array(5).fill(null)]
    expect((await list(`?cursor=${writeCursor([7], scope)}`)).status).toBe(200)
  })

  test('a stranger gets 404, and a call without a session 401', async () => {
    expect((await team.as('STRANGER').get('/subscribers')).status).toBe(404)
    expect((await s.call('GET', `/dashboard/projects/${s.project.id}/subscribers`, { key: null })).status).toBe(401)
  })
})

test('rows of the list are those of this project only', async () => {
  const { subscribers: t } = s.ctx.tables
  await s.get('/v1/me', 'svc_theirs', { key: s.other.publicKey })
  expect(await s.ctx.db.select().from(t).where(eq(t.projectId, s.other.id))).toHaveLength(1)
  expect(await devices()).not.toContain('svc_theirs')
  expect(await devices('?q=svc_theirs')).toEqual([])
})
