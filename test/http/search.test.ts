import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { insertMember } from '../../src/operators/members/service'
import { COINS, LIFETIME, MONTHLY, type Stage, stage } from '../support/cast'
import { arrive, join } from '../support/crew'
import { damage, identify, rowOf } from '../support/facts'
import { configure } from '../support/remote'
import { type Staff, staff, staffId } from '../support/staff'

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage()
  team = staff(s)
  for (const name of ['ada', 'adam', 'bo']) {
    await s.get('/v1/me', `svc_${name}`)
    await identify(s, `svc_${name}`, `user-${name}`)
  }
  await setEmail('svc_ada', 'Ada@Example.com')
  await s.receipt('svc_ada', s.buy(MONTHLY, { transactionId: '2000000777000001' }))
  await s.receipt('svc_bo', s.buy(COINS, { transactionId: '2000000777000002' }))
})
afterAll(() => s.close())

const setEmail = (device: string, email: string | null) =>
  s.post('/v1/me/attributes', { attributes: { $email: email } }, { headers: { 'x-svc-app-user-id': device } })

interface Found {
  kind: string
  id: string
  title: string
  subtitle: string | null
}

async function search(q: string, role: Parameters<Staff['as']>[0] = 'CUSTOMER_SUPPORT'): Promise<Found[]> {
  const { status, body } = await team.as(role).get(`/search?q=${encodeURIComponent(q)}`)
  expect([status, body.data?.nextCursor]).toEqual([200, null])
  return body.data.items
}

const names = async (q: string) => (await search(q)).map(({ kind, title }) => `${kind} ${title}`)

describe('subscribers are found', () => {
  test('by id, as a whole', async () => {
    const { id } = await rowOf(s, 'svc_ada')
    expect(await search(id)).toEqual([{ kind: 'subscriber', id, title: 'user-ada', subtitle: 'Ada@Example.com' }])
    expect(await search(id.slice(0, -1))).toEqual([])
  })

  test('by label: the exact one first, then those that begin with it', async () => {
    expect(await names('user-ada')).toEqual(['subscriber user-ada', 'subscriber user-adam'])
    expect(await names('user-')).toEqual(['subscriber user-ada', 'subscriber user-adam', 'subscriber user-bo'])
  })

  test('inside a name or an address too, after those that begin with the text, each once', async () => {
    expect(await names('ser-ada')).toEqual(['subscriber user-adam', 'subscriber user-ada'])
    expect(await names('example.com')).toEqual(['subscriber user-ada'])
    expect(await names('EXAMPLE.c')).toEqual(['subscriber user-ada'])
    await s.get('/v1/me', 'ada_of_two_names')
    await identify(s, 'ada_of_two_names', 'ada_two')
    await setEmail('ada_of_two_names', 'ada_@example.net')
    expect(await names('ada_')).toEqual(['subscriber ada_two'])
    expect(await names('da_')).toEqual(['subscriber ada_two'])
    expect(await names('d%_')).toEqual([])
    await setEmail('ada_of_two_names', null)
  })

  test('by device key, once', async () => {
    expect(await names('svc_bo')).toEqual(['subscriber user-bo'])
    expect(await names('svc_ad')).toEqual(['subscriber user-ada', 'subscriber user-adam'])
  })

  test('byte by byte: another case is another label', async () => {
    expect(await names('User-ada')).toEqual([])
  })

  test('by e-mail address in any case', async () => {
    for (const q of ['ada@example.com', 'ADA@EXAMPLE.COM', 'ada@ex'])
      expect(await names(q)).toEqual(['subscriber user-ada'])
  })

  test('by the present address only: a change and an erasure take the former one away', async () => {
    await setEmail('svc_bo', 'bo@first.example')
    expect(await names('bo@first')).toEqual(['subscriber user-bo'])
    await setEmail('svc_bo', 'bo@second.example')
    expect([await names('bo@first'), await names('bo@second')]).toEqual([[], ['subscriber user-bo']])
    await setEmail('svc_bo', null)
    expect(await names('bo@second')).toEqual([])
    await s.get('/v1/me', 'svc_gone')
    await setEmail('svc_gone', 'gone@example.org')
    await damage(s, (await rowOf(s, 'svc_gone')).id, { attributes: {}, erasedAt: s.ctx.clock.now() })
    expect([await names('gone@example.org'), await names('svc_gone')]).toEqual([[], []])
  })

  test('by the device key of a row that was merged: its survivor', async () => {
    await s.get('/v1/me', 'old_phone')
    await identify(s, 'old_phone', 'user-dee')
    await s.get('/v1/me', 'new_phone')
    await identify(s, 'new_phone', 'user-dee')
    const [old, fresh] = [await rowOf(s, 'old_phone'), await rowOf(s, 'new_phone')]
    const survivor = old.mergedInto ?? fresh.mergedInto
    for (const device of ['old_phone', 'new_phone'])
      expect((await search(device)).map(({ id }) => id)).toEqual([survivor ?? ''])
  })

  test('with signs that mean something in SQL', async () => {
    for (const q of ['%%', '__', "a'b", 'a"b', 'a\\b', '🙂🙂', '!_', '{}']) expect(await search(q)).toEqual([])
    await s.get('/v1/me', '100%_real')
    expect(await names('100%')).toEqual(['subscriber 100%_real'])
    expect(await names('100_')).toEqual([])
  })
})

describe('money is found', () => {
  test('by the transaction id of the store', async () => {
    expect(await names('2000000777000001')).toEqual(['purchase 2000000777000001', 'transaction 2000000777000001'])
    expect((await names('20000007770')).sort()).toEqual([
      'purchase 2000000777000001',
      'purchase 2000000777000002',
      'transaction 2000000777000001',
      'transaction 2000000777000002',
    ])
  })

  test('with whose it is, of what, for how much and when', async () => {
    const { id } = await rowOf(s, 'svc_ada')
    const { body } = await team.as('CUSTOMER_SUPPORT').get('/search?q=2000000777000001')
    const sale = {
      subscriberId: id,
      person: { subscriberId: id, appUserId: 'user-ada', email: 'Ada@Example.com', displayName: null, country: 'US' },
      product: { identifier: 'pro_monthly', name: 'pro_monthly' },
      store: 'IOS_STORE',
      environment: 'SANDBOX',
      amount: { amountMicros: 9_990_000, currency: 'USD' },
      date: new Date(s.ctx.clock.now()).toISOString(),
    }
    expect(body.data.items).toMatchObject([
      { kind: 'purchase', ...sale },
      { kind: 'transaction', ...sale },
    ])
    expect(body.data.items[1].purchaseId).toBe(body.data.items[0].id)
  })

  test('by the id of a copy of the transaction: the purchase', async () => {
    const life = s.buy(LIFETIME, { transactionId: '2000000888000001' })
    await s.receipt('svc_cleo', life)
    const copy = { ...life, transactionId: '3000000888000002', signedDate: life.signedDate + 1 }
    await s.receipt('svc_cleo', copy)
    expect(await names(copy.transactionId)).toEqual(['purchase 2000000888000001'])
    expect(await names('3000000888')).toEqual(['purchase 2000000888000001'])
    expect(await names('3000000888000003')).toEqual([])
  })

  test('by our own ids', async () => {
    const { purchases: p, transactions: t } = s.ctx.tables
    const [purchase] = await s.ctx.db.select().from(p).where(eq(p.projectId, s.project.id))
    const [line] = await s.ctx.db.select().from(t).where(eq(t.projectId, s.project.id))
    expect((await search(purchase?.id ?? '')).map(({ kind }) => kind)).toEqual(['purchase'])
    expect((await search(line?.id ?? '')).map(({ kind }) => kind)).toEqual(['transaction'])
  })
})

describe('what a project has set up is found', () => {
  test('by identifier, key and name, in any case, exact ones first', async () => {
    await configure(s, { flags: [{ key: 'pro_banner' }], experiments: [{ key: 'pro_test' }] })
    const found = await names('PRO')
    expect(found[0]).toBe('access pro')
    expect(found).toEqual(
      expect.arrayContaining(['product pro_monthly', 'product pro_yearly', 'flag pro_banner', 'experiment pro_test']),
    )
    expect(await names('all users')).toEqual(['audience All users'])
  })

  test('inside a name too, after those that begin with the text', async () => {
    expect(await names('monthly')).toEqual(['product pro_monthly'])
    expect((await names('pro_m'))[0]).toBe('product pro_monthly')
  })

  test('a product by its id at a store', async () => {
    expect(await names('com.x.lifetime')).toEqual(['product lifetime'])
  })
})

describe('members are found', () => {
  test('by address, name and account id, with their role, and not those of another project', async () => {
    const rex = await join(s, 'rex.Miller', 'GROWTH')
    await join(s, 'rex.other', 'OWNER', s.other.id)
    await arrive(s, 'rex.nobody')
    const hit = { kind: 'member', id: rex.id, title: 'rex.Miller', subtitle: 'rex.Miller@example.com GROWTH' }
    for (const q of ['rex', 'REX.miller@example.com', 'rex.miller', rex.id]) expect(await search(q)).toEqual([hit])
    expect(await search('miller')).toEqual([])
  })

  test('until they are removed', async () => {
    const zoe = await join(s, 'zoe', 'GROWTH')
    await s.ctx.write((tx) => insertMember(tx, s.project.id, staffId('OWNER'), 'OWNER')) // The change checks it again.
    expect(await names('zoe@')).toEqual(['member zoe'])
    expect((await team.as('OWNER').delete(`/members/${zoe.id}`)).status).toBe(200)
    expect(await names('zoe@')).toEqual([])
  })
})

test('at most 20 are answered, and many subscribers do not hide the one product', async () => {
  for (let index = 0; index < 30; index++) await s.get('/v1/me', `coins_${String(index).padStart(2, '0')}`)
  const found = await search('coins_')
  expect(found).toHaveLength(20)
  expect(found.filter(({ kind }) => kind === 'product').map(({ title }) => title)).toEqual(['coins_100'])
})

test('nothing of another project is found', async () => {
  await s.post('/v1/identify', { deviceKey: 'svc_other', appUserId: 'other-tenant' }, { key: s.other.publicKey })
  expect(await search('other-tenant')).toEqual([])
  expect(await search('svc_other')).toEqual([])
})

describe('who may search', () => {
  test('every member and a support grant, and no stranger', async () => {
    for (const role of ['CUSTOMER_SUPPORT', 'GROWTH', 'DEVELOPER', 'ADMIN', 'OWNER', 'SUPPORT_READ'] as const)
      expect(await search('user-bo', role)).toHaveLength(1)
    expect((await team.as('STRANGER').get('/search?q=user-bo')).status).toBe(404)
  })

  for (const query of ['', '?q=a', `?q=${'a'.repeat(256)}`, '?q=ada&kind=subscriber'])
    test(`${query.slice(0, 30)} is 400`, async () => {
      const { status, body } = await team.as('OWNER').get(`/search${query}`)
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
    })
})
