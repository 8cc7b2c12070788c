import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeCursor } from '../../src/base/http/list'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { allRows } from '../support/actions'
import { type Answer, MONTHLY } from '../support/cast'
import { rowOf } from '../support/facts'
import { countAsPaid, type IosApiStage, iosApiStage, sold } from '../support/ios-api'
import { notify } from '../support/notify'
import { type Staff, staff } from '../support/staff'

let s: IosApiStage
let team: Staff
beforeEach(async () => {
  s = await iosApiStage()
  team = staff(s)
})
afterEach(() => s.close())

const ON = { enabled: true, delayMinutes: 60, policy: 'decline', customerConsented: true }
const put = (body: unknown, headers: Record<string, string> = {}) =>
  team.as('OWNER').put('/refund-shield', body, { headers })
const read = async (path = '') => (await team.as('CUSTOMER_SUPPORT').get(`/refund-shield${path}`)).body.data
const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
const settingsRows = () => s.ctx.db.select().from(s.ctx.tables.storeSettings)

async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = [await allRows(s), await settingsRows()]
  const { status, body } = await call()
  expect([await allRows(s), await settingsRows()]).toEqual(before)
  return [status, body.error.code]
}

async function asked(device: string) {
  const month = await sold(s, device, MONTHLY)
  await notify(s, ['CONSUMPTION_REQUEST', null], month)
  return month
}

describe('the settings', () => {
  test('are replaced by the owner, take effect, and are in the audit log', async () => {
    const settings = { enabled: true, delayMinutes: 5, policy: 'grant', customerConsented: true }
    const { status, body } = await put(settings)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...settings,
      revision: 2,
      createdAt: expect.any(String),
      updatedAt: new Date(s.ctx.clock.now()).toISOString(),
    })
    expect(await read()).toEqual(body.data)
    const rows = await auditRows()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      actor: { kind: 'USER', id: 'usr_owner' },
      action: 'store.update',
      target: { type: 'store', id: 'refundShield' },
      before: ON,
      after: settings,
    })
    await asked('svc_ada')
    expect((await s.responses())[0]?.dueAt).toBe(s.ctx.clock.now() + 5 * MINUTE)
  })

  test('of a project that saved none have their defaults', async () => {
    team.sessions.roles.set(`usr_owner ${s.other.id}`, 'OWNER')
    const options = { projectId: s.other.id }
    const { body } = await team.as('OWNER').get('/refund-shield', options)
    expect(body.data).toEqual({
      ...{ enabled: false, delayMinutes: 60, policy: 'decline', customerConsented: false },
      ...{ revision: 0, createdAt: null, updatedAt: null },
    })
    const first = await team.as('OWNER').put('/refund-shield', ON, options)
    expect(first.body.data).toMatchObject({ ...ON, revision: 1 })
    expect((await read()).revision).toBe(1)
    const late = await team
      .as('OWNER')
      .put('/refund-shield', { ...ON, delayMinutes: 2 }, { ...options, headers: { 'if-match': '"0"' } })
    expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT'])
  })

  test('that are equal are no change', async () => {
    const before = await settingsRows()
    expect((await put(ON)).body.data).toMatchObject(ON)
    expect(await auditRows()).toEqual([])
    expect(await settingsRows()).toEqual(before)
  })

  test('are not replaced over those of somebody else', async () => {
    const { revision } = (await put({ ...ON, delayMinutes: 1 })).body.data
    const late = () => put({ ...ON, delayMinutes: 2 }, { 'if-match': `"${revision - 1}"` })
    const { status, body } = await late()
    expect([status, body.error]).toMatchObject([
      409,
      { code: 'CONFLICT', details: { revision, updatedBy: 'usr_owner@example.com' } },
    ])
    expect(await refused(late)).toEqual([409, 'CONFLICT'])
    expect((await put({ ...ON, delayMinutes: 2 }, { 'if-match': `"${revision}"` })).status).toBe(200)
  })

  test.each([0, 660])('take a delay of %d minutes', async (delayMinutes) => {
    expect((await put({ ...ON, delayMinutes })).body.data.delayMinutes).toBe(delayMinutes)
  })

  const { policy: _policy, ...lacking } = ON
  test.each<[name: string, body: unknown]>([
    ['a delay below 0', { ...ON, delayMinutes: -1 }],
    ['a delay above 660', { ...ON, delayMinutes: 661 }],
    ['a delay in parts of a minute', { ...ON, delayMinutes: 1.5 }],
    ['a delay as text', { ...ON, delayMinutes: '60' }],
    ['an unknown policy', { ...ON, policy: 'refuse' }],
    ['a policy in capitals', { ...ON, policy: 'GRANT' }],
    ['a text as a switch', { ...ON, enabled: 'true' }],
    ['a number as consent', { ...ON, customerConsented: 1 }],
    ['a member that lacks', lacking],
    ['a member that does not exist', { ...ON, playTime: 5 }],
    ['nothing', {}],
  ])('are refused with %s', async (_name, body) => {
    expect(await refused(() => put(body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test.each(['ADMIN', 'DEVELOPER', 'GROWTH', 'CUSTOMER_SUPPORT'] as const)('are not replaced by %s', async (role) => {
    expect(await refused(() => team.as(role).put('/refund-shield', { ...ON, delayMinutes: 3 }))).toEqual([
      403,
      'ROLE_REQUIRED',
    ])
  })
})

describe('what the store asked', () => {
  test('is listed newest first, with what came of it, and counted', async () => {
    const month = await asked('svc_ada')
    const askedAt = s.ctx.clock.now()
    s.ctx.clock.advance(HOUR)
    await s.work()
    await notify(s, ['REFUND_DECLINED', null], month)
    await asked('svc_bo')
    await countAsPaid(s)
    const { items, nextCursor } = await read('/responses')
    expect(nextCursor).toBeNull()
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'SENT'])
    expect(items[1]).toEqual({
      id: expect.stringMatching(/^rfs_/),
      subscriberId: (await rowOf(s, 'svc_ada')).id,
      transactionId: month.transactionId,
      status: 'SENT',
      outcome: 'REFUND_DECLINED',
      attempts: 1,
      error: null,
      askedAt: expect.any(String),
      dueAt: new Date(askedAt + HOUR).toISOString(),
      sentAt: new Date(askedAt + HOUR).toISOString(),
      createdAt: new Date(askedAt).toISOString(),
      updatedAt: expect.any(String),
    })
    expect((await read('/responses?status=SENT')).items).toEqual([items[1]])
    expect((await read('/responses?outcome=REFUND_DECLINED')).items).toEqual([items[1]])
    expect((await read('/responses?outcome=REFUND_APPROVED')).items).toEqual([])
    expect(await read('/metrics')).toEqual({ requests: 2, sent: 1, declined: 1, approved: 0, savedMicros: 9_990_000 })
  })

  test('has pages, also of requests of one instant', async () => {
    for (const device of ['svc_1', 'svc_2', 'svc_3', 'svc_4', 'svc_5']) await asked(device)
    const found: string[] = []
    for (let query: string | null = '?limit=2'; query !== null; ) {
      const { items, nextCursor } = await read(`/responses${query}`)
      found.push(...items.map(({ id }: { id: string }) => id))
      query = nextCursor === null ? null : `?limit=2&cursor=${nextCursor}`
    }
    const ids = (await s.responses()).map(({ id }) => id)
    expect(found).toHaveLength(5)
    expect(found.toSorted()).toEqual(ids.toSorted())
  })

  test('is of this project alone', async () => {
    await asked('svc_ada')
    team.sessions.roles.set(`usr_owner ${s.other.id}`, 'OWNER')
    const options = { projectId: s.other.id }
    expect((await team.as('OWNER').get('/refund-shield/responses', options)).body.data.items).toEqual([])
    expect((await team.as('OWNER').get('/refund-shield/metrics', options)).body.data.requests).toBe(0)
    for (const path of ['', '/responses', '/metrics'])
      expect((await team.as('STRANGER').get(`/refund-shield${path}`)).status).toBe(404)
  })

  test.each(['?status=OPEN', '?outcome=SENT', '?limit=0', '?limit=x', '?cursor=abc', '?from=1'])(
    'is not listed with %s',
    async (query) => {
      const { status, body } = await team.as('OWNER').get(`/refund-shield/responses${query}`)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})

test('a cursor that a client wrote by itself is refused', async () => {
  for (const position of [
    ['x', 'a'],
    [1.5, 'a'],
    ['1', 'a'],
    [1, 'a\0'],
    [1e300, 'a'],
  ]) {
    const cursor = writeCursor(position, ['refund-shield', s.project.id, undefined, undefined])
    const { status, body } = await team.as('OWNER').get(`/refund-shield/responses?cursor=${cursor}`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  }
})
