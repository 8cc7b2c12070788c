import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MAX_INT64 } from '../../src/base/lib/int64'
import { bookEntry } from '../../src/people/currencies/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { damage, identify, rowOf } from '../support/facts'
import { configOf, configure } from '../support/remote'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
let ada: string
beforeAll(async () => {
  s = await stage()
  team = staff(s)
  await s.get('/v1/me', 'old_ada')
  await identify(s, 'old_ada', 'ada')
  await s.get('/v1/me', 'svc_ada')
  await identify(s, 'svc_ada', 'ada')
  const row = await rowOf(s, 'svc_ada')
  ada = row.mergedInto ?? row.id
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await s.post('/v1/me/attributes', { attributes: { plan: 'gold' } }, { headers: { 'x-svc-app-user-id': 'svc_ada' } })
  await configure(s, { experiments: [{ key: 'checkout_test' }] })
  await configOf(s, 'svc_ada')
  await s.ctx.state.assignments.flush()
})
afterAll(() => s.close())

const get = (path: string, role: Parameters<Staff['as']>[0] = 'CUSTOMER_SUPPORT') =>
  team.as(role).get(`/subscribers/${path}`)

async function book(code: string, amount: bigint): Promise<void> {
  const project = await s.ctx.state.projects.find(s.project.id)
  const currencyId = project?.catalog.currencyByCode.get(code)?.id ?? ''
  const type = amount < 0n ? ('SPEND' as const) : ('BONUS' as const)
  const draft = { projectId: s.project.id, subscriberId: ada, currencyId, type, amount, referenceId: 'by hand' }
  expect((await s.ctx.write((tx) => bookEntry(tx, draft))).ok).toBe(true)
}

test('a subscriber is answered with everything about them', async () => {
  const { status, body } = await get(ada)
  expect(status).toBe(200)
  const { subscriber, access, purchases, balances, assignments, attributes, aliases, mergedInto, erased } = body.data
  expect(subscriber).toMatchObject({ id: ada, appUserId: 'ada', attributes: { plan: 'gold' }, revision: 1 })
  expect(Object.keys(access)).toEqual(['pro'])
  expect(purchases).toMatchObject([{ productIdentifier: 'pro_monthly', status: 'ACTIVE', subscriberId: ada }])
  expect(balances).toEqual({})
  expect(assignments).toMatchObject([{ key: 'checkout_test', exposedAt: null }])
  expect(attributes).toMatchObject([{ key: 'plan', value: 'gold', source: 'sdk' }])
  expect(aliases).toHaveLength(1)
  expect([mergedInto, erased]).toEqual([null, false])
})

test('a merged subscriber names the survivor and holds nothing', async () => {
  const { body } = await get(ada)
  const [alias] = body.data.aliases
  const { status, body: merged } = await get(alias.id)
  expect([status, merged.data.mergedInto]).toEqual([200, ada])
  expect([merged.data.purchases, merged.data.access]).toEqual([[], {}])
})

test('an erased subscriber is answered without a name, attributes, access or balances', async () => {
  await s.get('/v1/me', 'svc_gone')
  const { id } = await rowOf(s, 'svc_gone')
  await damage(s, id, {
    erasedAt: s.ctx.clock.now(),
    attributes: { left: { value: 'x', source: 'sdk', updatedAt: 0 } },
  })
  const { body } = await get(id)
  expect(body.data).toMatchObject({ erased: true, access: {}, balances: {}, attributes: [], assignments: [] })
  expect(body.data.subscriber).toMatchObject({ appUserId: null, deviceKey: null, attributes: {} })
})

describe('the timeline', () => {
  test('is newest first, in pages without a gap', async () => {
    const { body } = await get(`${ada}/timeline?limit=200`)
    const seqs = body.data.items.map(({ seq }: { seq: number }) => seq)
    expect(seqs.length).toBeGreaterThan(2)
    expect(seqs).toEqual(seqs.map((_: number, index: number) => seqs.length - index))
    const seen: number[] = []
    for (let cursor = ''; ; ) {
      const page = await get(`${ada}/timeline?limit=1${cursor}`)
      seen.push(...page.body.data.items.map(({ seq }: { seq: number }) => seq))
      if (page.body.data.nextCursor === null) break
      cursor = `&cursor=${page.body.data.nextCursor}`
    }
    expect(seen).toEqual(seqs)
  })

  test('of one person is not continued with the cursor of another', async () => {
    const { body } = await get(`${ada}/timeline?limit=1`)
    const { id } = await rowOf(s, 'svc_gone')
    expect((await get(`${id}/timeline?limit=1&cursor=${body.data.nextCursor}`)).status).toBe(400)
    expect((await get(`${ada}/ledger?limit=1&cursor=${body.data.nextCursor}`)).status).toBe(400)
  })
})

describe('the ledger', () => {
  test('has every entry with exact amounts of 64 bits, newest first', async () => {
    await book('coins', MAX_INT64)
    await book('coins', -9007199254740993n)
    const answer = await s.app.handle(
      new Request(`http://localhost/dashboard/projects/${s.project.id}/subscribers/${ada}/ledger`, {
        headers: { cookie: 'svc_session=GROWTH' },
      }),
    )
    const text = await answer.text()
    expect(text).toContain(`"amount":-9007199254740993,"balance":${MAX_INT64 - 9007199254740993n},`)
    expect(text).toContain(`"amount":${MAX_INT64},"balance":${MAX_INT64},`)
    expect(text.indexOf('SPEND')).toBeLessThan(text.indexOf('BONUS'))
    const detail = await s.app.handle(
      new Request(`http://localhost/dashboard/projects/${s.project.id}/subscribers/${ada}`, {
        headers: { cookie: 'svc_session=GROWTH' },
      }),
    )
    expect(await detail.text()).toContain(`"coins":${MAX_INT64 - 9007199254740993n}`)
  })

  test('goes on in pages', async () => {
    const first = await get(`${ada}/ledger?limit=1`)
    const second = await get(`${ada}/ledger?limit=1&cursor=${first.body.data.nextCursor}`)
    expect([first.body.data.items[0].type, second.body.data.items[0].type]).toEqual(['SPEND', 'BONUS'])
    expect(second.body.data.nextCursor).toBeNull()
  })
})

describe('an explanation', () => {
  test('names the purchase that decides', async () => {
    const { status, body } = await get(`${ada}/explain/pro`)
    expect([status, body.data.isActive, body.data.decidedBy.rule]).toEqual([200, true, 'ACTIVE_BEFORE_END'])
    expect(body.data.candidates).toHaveLength(1)
  })

  test('of an access that the project does not have is 404; of a bad time 400', async () => {
    expect((await get(`${ada}/explain/nothing`)).status).toBe(404)
    expect((await get(`${ada}/explain/pro?at=never`)).status).toBe(400)
    expect((await get(`${ada}/explain/pro?at=2001-01-01T00:00:00Z`)).status).toBe(400)
    expect((await get(`${ada}/explain/pro?nonsense=1`)).status).toBe(400)
  })
})

describe('an id that is not one of the project', () => {
  const PATHS = ['', '/timeline', '/ledger', '/explain/pro']
  for (const path of PATHS)
    test(`is 404 at /subscribers/:id${path}`, async () => {
      await s.get('/v1/me', 'svc_theirs', { key: s.other.publicKey })
      const { subscribers: t } = s.ctx.tables
      const theirs = (await s.ctx.db.select().from(t)).find(({ projectId }) => projectId === s.other.id)
      for (const id of [
        theirs?.id ?? '',
        'sub_00000000000000000000000000',
        'svc_ada',
        'ada',
        'sub_',
        '%00',
        'x'.repeat(64),
      ]) {
        const { status, body } = await get(`${id}${path}`)
        expect([id, status, body.error.code]).toEqual([id, 404, 'NOT_FOUND'])
      }
    })

  test('a member of no project sees no person', async () => {
    for (const path of PATHS) expect((await get(`${ada}${path}`, 'STRANGER')).status).toBe(404)
    for (const path of PATHS) expect((await get(`${ada}${path}`, 'SUPPORT_READ')).status).toBe(200)
  })
})
