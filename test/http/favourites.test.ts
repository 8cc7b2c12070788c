import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { dataOf } from '../support/operator'
import { staff } from '../support/staff'

// Charts and screens that a person has starred are among the preferences of that person.

let s: Stage
beforeAll(async () => {
  s = await stage()
  staff(s)
})
afterAll(() => s.close())

const PATH = '/dashboard/me/preferences'
const call = (role: 'OWNER' | 'CUSTOMER_SUPPORT', method: 'GET' | 'PATCH', body?: object) =>
  s.call(method, PATH, {
    key: null,
    headers: { cookie: `svc_session=${role}`, origin: 'http://localhost' },
    ...(body && { body }),
  })
const kept = async (role: 'OWNER' | 'CUSTOMER_SUPPORT') => (await dataOf(call(role, 'GET'))).favourites

describe('favourites', () => {
  test('are none at first, are kept in their order, and are of one person', async () => {
    expect(await kept('OWNER')).toEqual([])
    const favourites = ['/charts/mrr', '/revenue/transactions', '/subscribers']
    expect((await dataOf(call('OWNER', 'PATCH', { favourites }))).favourites).toEqual(favourites)
    expect([await kept('OWNER'), await kept('CUSTOMER_SUPPORT')]).toEqual([favourites, []])
    await dataOf(call('OWNER', 'PATCH', { favourites: favourites.toReversed() }))
    expect(await kept('OWNER')).toEqual(favourites.toReversed())
  })

  test('stay when another preference changes, and the others stay when they change', async () => {
    await dataOf(call('OWNER', 'PATCH', { favourites: ['/charts/ltv'] }))
    await dataOf(call('OWNER', 'PATCH', { theme: 'DARK', locale: 'de' }))
    expect(await dataOf(call('OWNER', 'GET'))).toMatchObject({ theme: 'DARK', favourites: ['/charts/ltv'] })
    await dataOf(call('OWNER', 'PATCH', { favourites: [] }))
    expect(await dataOf(call('OWNER', 'GET'))).toMatchObject({ theme: 'DARK', locale: 'de', favourites: [] })
  })

  test.each([
    ['an address of another host', ['https://example.com']],
    ['an address without a beginning', ['charts/mrr']],
    ['a script', ['javascript:alert(1)']],
    ['two slashes, which name another host', ['//example.com']],
    ['a way up', ['/charts/../settings']],
    ['a query', ['/charts?q=a']],
    ['the same twice', ['/charts', '/charts']],
    ['more than 20', Array.from({ length: 21 }, (_, n) => `/charts/c${n}`)],
    ['a very long path', [`/${'a'.repeat(120)}`]],
    ['a number', [1]],
    ['no list', '/charts'],
  ])('refuse %s, and keep what was there', async (_name, favourites) => {
    await dataOf(call('OWNER', 'PATCH', { favourites: ['/charts/arr'] }))
    const answer = await call('OWNER', 'PATCH', { favourites })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await kept('OWNER')).toEqual(['/charts/arr'])
  })

  test('are asked for by nobody without a session', async () => {
    expect((await s.call('GET', PATH, { key: null })).status).toBe(401)
    expect((await s.call('PATCH', PATH, { key: null, body: { favourites: [] } })).status).toBe(401)
  })
})
