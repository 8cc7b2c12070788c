import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { erase } from '../support/erased'
import { access, changeSettings, eventTypes, everything, identify, rowOf } from '../support/facts'
import { type FunnelStage, funnelStage, sell, sessionRow, tokenOf } from '../support/funnel-claims'
import { changes, dataOf, refused } from '../support/operator'
import { runJobs } from '../support/rates'
import { staff } from '../support/staff'

let s: FunnelStage
let count = 0
beforeAll(async () => {
  s = await funnelStage()
})
afterAll(() => s.close())
beforeEach(() => s.ctx.clock.advance(MINUTE)) // The limit of claims is for each minute.

const newDevice = (): string => `svc_phone_${++count}`
const claim = (token: string, device: string) =>
  s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: device })

async function claimed() {
  const device = newDevice()
  const sold = await sell(s, { answers: { goal: 'sleep' } })
  expect((await claim(sold.token, device)).status).toBe(200)
  return { ...sold, device }
}

async function refusedClaim(token: string, device: string, reason: string | undefined) {
  const before = await everything(s)
  const { status, body } = await claim(token, device)
  expect([status, body.error.code, body.error.details?.reason]).toEqual([409, 'CONFLICT', reason])
  expect(await everything(s)).toEqual(before)
}

describe('a token that proves the address', () => {
  test('moves the purchase from who claimed it before, and only that', async () => {
    const { device, sessionId } = await claimed()
    await s.post('/v1/me/attributes', { attributes: { mine: 'stays' } }, { headers: { 'x-svc-app-user-id': device } })
    const phone = newDevice()
    const { status, body } = await claim(await tokenOf(s, sessionId, 'MAIL'), phone)
    expect([status, body.data.entitlements]).toEqual([200, ['pro']])
    expect([await access(s, device), Object.keys(await access(s, phone))]).toEqual([{}, ['pro']])
    const [from, to] = [await rowOf(s, device), await rowOf(s, phone)]
    expect([from.mergedInto, from.attributes.mine?.value, to.attributes.mine]).toEqual([null, 'stays', undefined])
    expect((await sessionRow(s, sessionId))?.subscriberId).toBe(to.id)
    expect(await eventTypes(s, from.id)).toContain('entitlement.revoked')
    const events = await s.events(to.id)
    expect(events.find(({ type }) => type === 'funnel.claimed')?.data).toEqual({ sessionId, fromSubscriberId: from.id })
  })

  test('can be undone as a transfer', async () => {
    const { device, sessionId } = await claimed()
    const phone = newDevice()
    await claim(await tokenOf(s, sessionId, 'MAIL'), phone)
    const { transfers } = s.ctx.tables
    const rows = (await s.ctx.db.select().from(transfers)).filter(({ cause }) => cause === 'FUNNEL_RECLAIM')
    const undone = await s.post(`/v1/subscribers/transfer/${rows.at(-1)?.id}/undo`, {}, { key: s.project.secretKey })
    expect(undone.status).toBe(200)
    expect([Object.keys(await access(s, device)), await access(s, phone)]).toEqual([['pro'], {}])
  })

  test('does not move it from one account to another, and moves it within an account', async () => {
    const { device, sessionId } = await claimed()
    await identify(s, device, `owner ${device}`)
    const stranger = newDevice()
    await identify(s, stranger, `other ${device}`)
    const token = await tokenOf(s, sessionId, 'MAIL')
    await refusedClaim(token, stranger, 'claimed_by_account')
    const own = newDevice()
    await identify(s, own, `owner ${device}`)
    expect((await claim(token, own)).body.data.entitlements).toEqual(['pro'])
  })

  test('moves nothing where the project never transfers', async () => {
    const { sessionId } = await claimed()
    await changeSettings(s, { purchaseTransfer: 'never' })
    await refusedClaim(await tokenOf(s, sessionId, 'MAIL'), newDevice(), 'claimed_by_account')
    await changeSettings(s, { purchaseTransfer: 'whenAnonymous' })
  })

  test('moves a purchase five times in 30 days', async () => {
    const { sessionId } = await claimed()
    for (let n = 0; n < 5; n++) expect((await claim(await tokenOf(s, sessionId, 'MAIL'), newDevice())).status).toBe(200)
    await refusedClaim(await tokenOf(s, sessionId, 'MAIL'), newDevice(), 'too_many_moves')
    s.ctx.clock.advance(30 * DAY)
    expect((await claim(await tokenOf(s, sessionId, 'MAIL'), newDevice())).status).toBe(200)
  })
})

test('a token that proves no address moves nothing that was claimed', async () => {
  const { device, sessionId } = await claimed()
  for (const proof of ['PAID', 'SHOWN', 'INSTALL'] as const)
    await refusedClaim(await tokenOf(s, sessionId, proof), newDevice(), undefined)
  expect((await claim(await tokenOf(s, sessionId, 'SHOWN'), device)).status).toBe(200)
})

describe('people of the team', () => {
  const linkOf = (sessionId: string, deliver: string, role: 'ADMIN' | 'DEVELOPER' | 'STRANGER' = 'ADMIN') =>
    staff(s).as(role).post(`/funnel-sessions/${sessionId}/claim-link`, { deliver })

  test('are shown a link once, and the token of before ends', async () => {
    const { token, sessionId } = await sell(s)
    const data = await changes(s, () => linkOf(sessionId, 'show'), ['funnelSession.claimLink'])
    expect(data).toEqual({
      deliver: 'show',
      token: expect.stringMatching(/^svc_ft_[\w-]{43}$/),
      deepLinkUrl: null,
      universalLinkUrl: null,
      expiresAt: expect.any(String),
    })
    expect((await claim(token, newDevice())).status).toBe(404)
    expect((await claim(data.token, newDevice())).status).toBe(200)
  })

  test('mail a link that moves a claimed purchase', async () => {
    const { sessionId } = await claimed()
    const data = await changes(s, () => linkOf(sessionId, 'mail'), ['funnelSession.claimLink'])
    expect([data.token, data.universalLinkUrl]).toEqual([null, null])
    const mails = await s.ctx.db.select().from(s.ctx.tables.mails)
    expect(mails.at(-1)).toMatchObject({
      kind: 'funnel_claim',
      toAddress: 'buyer@example.com',
      projectId: s.project.id,
    })
  })

  test('cannot for an unpaid session, another project, an unknown session, or without the right', async () => {
    const { sessionId } = await sell(s, { isPaid: false })
    await refused(s, () => linkOf(sessionId, 'show'), 409, 'CONFLICT')
    await refused(s, () => linkOf('fse_none', 'show'), 404, 'NOT_FOUND')
    const paid = await sell(s)
    await refused(s, () => linkOf(paid.sessionId, 'post'), 400, 'VALIDATION_ERROR')
    await refused(s, () => linkOf(paid.sessionId, 'show', 'STRANGER'), 404, 'NOT_FOUND')
    expect((await claim(paid.token, newDevice())).status).toBe(200)
    await dataOf(linkOf(paid.sessionId, 'show'))
  })
})

describe('an erasure', () => {
  test('takes the tokens and links of the person, and of what was paid with the same address', async () => {
    const device = newDevice()
    const email = 'erased@example.com'
    const [first, second, other] = [await sell(s, { email }), await sell(s, { email }), await sell(s)]
    await claim(first.token, device)
    await staff(s).as('ADMIN').post(`/funnel-sessions/${second.sessionId}/claim-link`, { deliver: 'mail' })
    await s.post('/v1/sdk/claim-via-email', { email: 'Erased@Example.com', install_id: 'i' })
    await runJobs(s.ctx)
    const receivers = async () => (await s.ctx.db.select().from(s.ctx.tables.mails)).map((one) => one.toAddress)
    expect(await receivers()).toEqual(expect.arrayContaining([email, 'Erased@Example.com']))
    const { id } = await rowOf(s, device)
    const [, payload = ''] = (await erase(s, id)).split('.')
    expect(Buffer.from(payload, 'base64url').toString()).toMatch(/"mails":\{"removed":2/)
    expect((await receivers()).filter((one) => /^erased@/i.test(one))).toEqual([])
    expect(await receivers()).toContain('buyer@example.com')
    const { funnelTokens, funnelLinks } = s.ctx.tables
    const tokens = (await s.ctx.db.select().from(funnelTokens)).map(({ sessionId }) => sessionId)
    expect([first, second, other].map(({ sessionId }) => tokens.includes(sessionId))).toEqual([false, false, true])
    const links = (await s.ctx.db.select().from(funnelLinks)).map(({ sessionId }) => sessionId)
    expect(links).not.toContain(second.sessionId)
    expect((await claim(second.token, newDevice())).status).toBe(404)
    expect((await claim(other.token, newDevice())).status).toBe(200)
  })
})
