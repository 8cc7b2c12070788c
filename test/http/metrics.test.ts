import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { staff } from '../support/staff'

let s: Stage
let other: string
beforeAll(async () => {
  s = await stage() // It is 2026-11-20.
  other = s.other.id
})
afterAll(() => s.close())

const asKey = (query: string, key: string | null = s.project.secretKey) =>
  s.get(`/metrics/${query}`, undefined, { key })
const asMember = (query: string) => staff(s).as('CUSTOMER_SUPPORT').get(`/metrics/${query}`)

describe('a query is refused', () => {
  const refused: [fault: string, query: string, code: string][] = [
    ['an unknown grain', 'revenue?grain=hour', 'VALIDATION_ERROR'],
    ['an unknown group', 'revenue?groupBy=colour', 'VALIDATION_ERROR'],
    ['an unknown member', 'revenue?shape=round', 'VALIDATION_ERROR'],
    ['a date that is none', 'revenue?from=2026-02-30', 'VALIDATION_ERROR'],
    ['a time that is none', 'revenue?from=yesterday', 'VALIDATION_ERROR'],
    ['a window of nothing', 'revenue?from=2026-11-02&to=2026-11-02', 'VALIDATION_ERROR'],
    ['a window that runs backwards', 'revenue?from=2026-11-02&to=2026-11-01', 'VALIDATION_ERROR'],
    ['another currency', 'revenue?currency=EUR', 'VALIDATION_ERROR'],
    ['401 days by day', 'revenue?from=2025-01-01&to=2026-02-06', 'window_too_large'],
    ['1097 days', 'mrr-movement?grain=month&from=2023-01-01&to=2026-01-02', 'window_too_large'],
  ]
  for (const [fault, query, code] of refused)
    test(fault, async () => {
      for (const { status, body } of [await asKey(query), await asMember(query)])
        expect([status, body.error.code]).toEqual([400, code])
    })

  test('and says how many days it has and may have', async () => {
    const { body } = await asKey('mrr-movement?grain=month&from=2023-01-01&to=2026-01-02')
    expect(body.error.details).toEqual({ days: 1097, maxDays: 1096 })
    expect((await asKey('mrr-movement?grain=month&from=2023-01-01&to=2026-01-01')).status).toBe(200)
    expect((await asKey('revenue?from=2025-01-01&to=2026-02-05')).status).toBe(200)
  })
})

describe('who may ask', () => {
  test('a member who names the project, and nobody else about it', async () => {
    staff(s) // A member's session is named for the role.
    const headers = { cookie: 'svc_session=CUSTOMER_SUPPORT' }
    const asPerson = (query: string) => s.get(`/metrics/mrr${query}`, undefined, { key: null, headers })
    expect((await asPerson(`?projectId=${s.project.id}`)).status).toBe(200)
    expect((await asPerson(`?projectId=${other}`)).status).toBe(404)
    expect((await asPerson('')).status).toBe(404)
  })

  test('nobody without a key or a session, and no public key', async () => {
    expect((await asKey('mrr', null)).body.error.code).toBe('BEARER_REQUIRED')
    const nobody = { key: null, headers: { cookie: 'svc_session=nobody' } }
    const answer = await s.get(`/metrics/mrr?projectId=${s.project.id}`, undefined, nobody)
    expect(answer.body.error.code).toBe('UNAUTHORIZED')
    const { status, body } = await asKey('mrr', s.project.publicKey)
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('a key only about its own project', async () => {
    expect((await asKey(`mrr?projectId=${s.project.id}`)).status).toBe(200)
    expect((await asKey(`mrr?projectId=${other}`)).status).toBe(404)
  })
})

test('without purchases everything is zero or nothing', async () => {
  const { body } = await asKey('summary')
  expect(body.data.totals).toMatchObject({ gross: 0, net: 0, mrr: 0, active: 0, trials: 0, churned: 0, arpu: null })
  expect(body.data).toMatchObject({ grain: 'total', currency: 'USD', unconverted: 0 })
})

test('without a window it is the last thirty days', async () => {
  const { series } = (await asKey('revenue')).body.data
  expect(series).toHaveLength(31)
  expect(series[0].start.slice(0, 10)).toBe('2026-10-21')
})

test('analytics that are switched off answer 503', async () => {
  const off = await stage({ env: { SVC_ANALYTICS_URL: 'off' } })
  try {
    const { status, body } = await off.get('/metrics/mrr', undefined, { key: off.project.secretKey })
    expect([status, body.error.code]).toEqual([503, 'ANALYTICS_UNAVAILABLE'])
  } finally {
    await off.close()
  }
})
