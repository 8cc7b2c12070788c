import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { expectRefused, rowOf } from '../support/facts'
import {
  HEADER,
  identifyWith,
  makeSecret,
  NOT_VALID,
  REQUIRED,
  refusalOf,
  type Signing,
  tokenFor,
} from '../support/identity'
import { type PaymentStage, paymentStage } from '../support/payment'

let s: PaymentStage
let key: string
beforeEach(async () => {
  s = await paymentStage({ settings: { identityVerification: 'labels' } })
  key = await makeSecret(s)
  await s.checkout('svc_ada')
})
afterEach(() => s.close())

const sign = (label: string, signing: Partial<Signing> = {}) => tokenFor(s, label, { key, ...signing })
const opened = () => s.server.requests.filter(({ path }) => path === '/v1/billing_portal/sessions').length
const portal = (token: string | null, headers: Record<string, string> = {}) =>
  s.portal('svc_ada', { headers: { ...(token === null ? {} : { [HEADER]: token }), ...headers } })

test('the billing portal of a subscriber without a label needs no token', async () => {
  expect((await portal(null)).status).toBe(200)
})

describe('the billing portal of a labelled subscriber', () => {
  beforeEach(async () => {
    await identifyWith(s, 'svc_ada', 'ada', await sign('ada'))
    expect((await rowOf(s, 'svc_ada')).appUserId).toBe('ada')
  })

  test('opens for a public key with a token for its label', async () => {
    expect((await portal(await sign('ada'))).status).toBe(200)
    expect((await portal(await sign('ada', { claims: { dk: 'svc_ada' } }))).status).toBe(200)
  })

  test('is refused without a token, and nobody is asked', async () => {
    const answer = await expectRefused(s, () => portal(null), 403, 'FORBIDDEN')
    expect(refusalOf(answer)).toEqual(REQUIRED)
    expect(opened()).toBe(0)
  })

  test('is refused with a token for another label, device or project, or one that has ended', async () => {
    const tokens = [
      await sign('bo'),
      await sign('ada', { claims: { dk: 'svc_bo' } }),
      await sign('ada', { claims: { aud: s.other.id } }),
      await sign('ada', { claims: { iat: 1, exp: 2 } }),
      'x.y.z',
    ]
    for (const token of tokens) expect(refusalOf(await portal(token))).toEqual(NOT_VALID)
    expect(opened()).toBe(0)
  })

  test('is refused to every device of the person, also one that was merged away', async () => {
    await identifyWith(s, 'svc_new', 'ada', await sign('ada'))
    for (const device of ['svc_ada', 'svc_new']) expect(refusalOf(await s.portal(device))).toEqual(REQUIRED)
    expect((await portal(await sign('ada'))).status).toBe(200)
  })

  test('opens for a secret key without a token', async () => {
    expect((await s.portal('svc_ada', { key: s.project.secretKey })).status).toBe(200)
  })

  test('is not replayed to a caller without a valid token', async () => {
    const repeat = { 'idempotency-key': 'once' }
    const first = await portal(await sign('ada'), repeat)
    const stolen = await portal(null, repeat)
    expect([...refusalOf(stolen), stolen.headers.get('idempotent-replay')]).toEqual([...REQUIRED, null])
    const again = await portal(await sign('ada'), repeat)
    expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([200, first.body, 'true'])
    expect(opened()).toBe(1)
  })
})
