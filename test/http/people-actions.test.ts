import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { MAX_INT64 } from '../../src/base/lib/int64'
import { verifyAudit } from '../../src/projects/audit/audit'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { damage, everything, identify, rowOf } from '../support/facts'
import { type Staff, type StaffRole, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage()
  team = staff(s)
})
afterAll(async () => {
  expect((await verifyAudit(s.ctx, s.project.id)).ok).toBe(true)
  await s.close()
})

let count = 0

/** A new person; their id. */
async function person(): Promise<{ device: string; id: string }> {
  const device = `svc_person_${++count}`
  await s.get('/v1/me', device)
  return { device, id: (await rowOf(s, device)).id }
}

const audits = async () => {
  const { auditLog } = s.ctx.tables
  const rows = s.ctx.db.select().from(auditLog).where(eq(auditLog.projectId, s.project.id))
  return rows.orderBy(auditLog.position)
}

/** Expects that a call is refused with this, and writes neither anything about people nor an audit row. */
async function expectRefused(
  call: () => Promise<{ status: number; body: { error?: { code: string } } }>,
  code: string,
) {
  const before = [await everything(s), (await audits()).length]
  const { body } = await call()
  expect(body.error?.code).toBe(code)
  expect([await everything(s), (await audits()).length]).toEqual(before)
}

/** Expects that a call writes one audit row; returns it. */
async function expectAudited<Answer>(call: () => Promise<Answer>, action: string, role: string) {
  const before = (await audits()).length
  const answer = await call()
  const rows = (await audits()).slice(before)
  expect(rows.map((row) => [row.action, row.actor.id])).toEqual([[action, `usr_${role.toLowerCase()}`]])
  return { answer, row: rows[0] }
}

describe('attributes', () => {
  const patch = (id: string, attributes: unknown, role: StaffRole = 'CUSTOMER_SUPPORT', headers = {}) =>
    team.as(role).patch(`/subscribers/${id}/attributes`, { attributes }, { headers })

  test('are set and deleted; the audit row names them without their values', async () => {
    const { id } = await person()
    await patch(id, { plan: 'silver', old: 'x' })
    const change = () => patch(id, { plan: 'gold', old: null, $email: 'secret@example.com' })
    const { answer, row } = await expectAudited(change, 'subscriber.attributes', 'CUSTOMER_SUPPORT')
    const attributes = { plan: 'gold', $email: 'secret@example.com' }
    expect([answer.status, answer.body.data]).toEqual([200, { id, appUserId: null, attributes, revision: 3 }])
    expect(row).toMatchObject({ target: { type: 'subscriber', id }, after: { changed: ['$email', 'old', 'plan'] } })
    expect(JSON.stringify(row)).not.toContain('secret@')
    expect(JSON.stringify(row)).not.toContain('gold')
    const detail = await team.as('GROWTH').get(`/subscribers/${id}`)
    expect(detail.body.data.attributes[1]).toMatchObject({ key: 'plan', source: 'dashboard' })
  })

  test('that are the same already write no audit row', async () => {
    const { id } = await person()
    await patch(id, { plan: 'gold' })
    const before = (await audits()).length
    expect((await patch(id, { plan: 'gold' })).status).toBe(200)
    expect((await patch(id, {})).status).toBe(200)
    expect(await audits()).toHaveLength(before)
  })

  test('are not changed from another revision', async () => {
    const { id } = await person()
    await patch(id, { plan: 'gold' })
    await expectRefused(() => patch(id, { plan: 'tin' }, 'OWNER', { 'if-match': '"1"' }), 'CONFLICT')
    expect((await patch(id, { plan: 'tin' }, 'OWNER', { 'if-match': '"2"' })).body.data.revision).toBe(3)
  })

  test('of a merged person reach the survivor', async () => {
    const [a, b] = [await person(), await person()]
    await identify(s, a.device, 'merged-person')
    await identify(s, b.device, 'merged-person')
    const { mergedInto } = await rowOf(s, a.device)
    const [gone, survivor] = mergedInto === null ? [b, a] : [a, b]
    expect((await patch(gone.id, { plan: 'gold' })).body.data.id).toBe(survivor.id)
  })

  test('that are bad, of nobody, or of an erased person are refused', async () => {
    const { id, device } = await person()
    for (const bad of [
      { $email: 'no address' },
      { 'a b': 'x' },
      { plan: 5 },
      { $nothing: 'x' },
      { plan: 'x'.repeat(501) },
    ])
      await expectRefused(() => patch(id, bad), 'VALIDATION_ERROR')
    await expectRefused(() => patch(id, 'gold'), 'VALIDATION_ERROR')
    const extra = { attributes: {}, more: 1 }
    await expectRefused(() => team.as('OWNER').patch(`/subscribers/${id}/attributes`, extra), 'VALIDATION_ERROR')
    await expectRefused(() => patch('sub_00000000000000000000000000', { a: 'b' }), 'NOT_FOUND')
    await expectRefused(() => patch(device, { a: 'b' }), 'NOT_FOUND')
    await damage(s, id, { erasedAt: s.ctx.clock.now() })
    await expectRefused(() => patch(id, { a: 'b' }), 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('are not for growth people, support grants and strangers', async () => {
    const { id } = await person()
    await expectRefused(() => patch(id, { a: 'b' }, 'GROWTH'), 'CAPABILITY_REQUIRED')
    await expectRefused(() => patch(id, { a: 'b' }, 'SUPPORT_READ'), 'SUPPORT_ACCESS_READ_ONLY')
    await expectRefused(() => patch(id, { a: 'b' }, 'STRANGER'), 'NOT_FOUND')
  })
})

describe('credits', () => {
  const give = (id: string, members: object, role: StaffRole = 'ADMIN') =>
    team
      .as(role)
      .post(`/subscribers/${id}/credits`, { code: 'coins', amount: 5, idempotencyKey: `key-${++count}`, ...members })

  test('are booked once per key, with one audit row and one event', async () => {
    const { id } = await person()
    const order = { amount: 40, idempotencyKey: 'gift', description: 'sorry' }
    const { answer, row } = await expectAudited(() => give(id, order), 'subscriber.credits', 'ADMIN')
    expect(answer.body.data).toMatchObject({ code: 'coins', balance: 40, replayed: false, dryRun: false })
    expect(answer.body.data.balances).toEqual({ before: 0, after: 40 })
    expect(row?.after).toMatchObject({ code: 'coins', amount: '40', balance: '40', description: 'sorry' })
    const before = (await audits()).length
    const again = await give(id, order)
    expect(again.body.data).toMatchObject({
      replayed: true,
      transactionId: answer.body.data.transactionId,
      balance: 40,
    })
    expect(await audits()).toHaveLength(before)
    const [event, ...more] = (await team.as('OWNER').get(`/subscribers/${id}/timeline`)).body.data.items
    expect([event.type, event.cause.kind, more]).toEqual(['currency.transaction', 'DASHBOARD', []])
  })

  test('of a dry run answer the same and write nothing', async () => {
    const { id } = await person()
    await give(id, { amount: 7 })
    const before = [await everything(s), (await audits()).length]
    const { status, body } = await give(id, { amount: -3, dryRun: true })
    expect([status, body.data]).toEqual([
      200,
      {
        code: 'coins',
        balance: 4,
        transactionId: null,
        replayed: false,
        dryRun: true,
        balances: { before: 7, after: 4 },
        eventTypes: ['currency.transaction'],
      },
    ])
    expect((await give(id, { amount: -8, dryRun: true })).body.error.code).toBe('CONFLICT')
    expect([await everything(s), (await audits()).length]).toEqual(before)
  })

  test('that cannot be booked are refused', async () => {
    const { id } = await person()
    await give(id, { amount: 5, idempotencyKey: 'used' })
    await expectRefused(() => give(id, { amount: 6, idempotencyKey: 'used' }), 'CONFLICT')
    await expectRefused(() => give(id, { amount: -6 }), 'CONFLICT')
    await expectRefused(() => give(id, { code: 'unknown' }), 'NOT_FOUND')
    for (const bad of [{ amount: 0 }, { amount: 1.5 }, { amount: '5' }, { idempotencyKey: ' ' }, { referenceId: 'x' }])
      await expectRefused(() => give(id, bad), 'VALIDATION_ERROR')
    await expectRefused(() => give(id, { description: 'x'.repeat(201) }), 'VALIDATION_ERROR')
    await expectRefused(() => give('sub_00000000000000000000000000', {}), 'NOT_FOUND')
    await expectRefused(() => give(id, {}, 'DEVELOPER'), 'CAPABILITY_REQUIRED')
    await expectRefused(() => give(id, {}, 'CUSTOMER_SUPPORT'), 'CAPABILITY_REQUIRED')
  })

  test('two at once with one key are booked once', async () => {
    const { id } = await person()
    const order = { amount: 5, idempotencyKey: 'both' }
    const before = (await audits()).length
    const answers = await Promise.all([give(id, order), give(id, order), give(id, order)])
    expect(answers.map(({ body }) => body.data.balance)).toEqual([5, 5, 5])
    expect(await audits()).toHaveLength(before + 1)
  })
})

test('credits of 64 bits are exact in the answer and in the audit row', async () => {
  const own = await stage()
  const members = staff(own)
  await own.get('/v1/me', 'svc_ada')
  const { id } = await rowOf(own, 'svc_ada')
  const path = `/subscribers/${id}/credits`
  const headers = { cookie: 'svc_session=OWNER', origin: 'http://localhost', 'content-type': 'application/json' }
  const body = `{"code":"coins","amount":${MAX_INT64 - 1n},"idempotencyKey":"all"}`
  const url = `http://localhost/dashboard/projects/${own.project.id}${path}`
  const text = await (await own.app.handle(new Request(url, { method: 'POST', headers, body }))).text()
  expect(text).toContain(`"balance":${MAX_INT64 - 1n},`)
  const [row] = await own.ctx.db.select().from(own.ctx.tables.auditLog).orderBy(own.ctx.tables.auditLog.position)
  expect(row?.after).toMatchObject({ amount: `${MAX_INT64 - 1n}`, balance: `${MAX_INT64 - 1n}` })
  const give = (amount: number) =>
    members.as('OWNER').post(path, { code: 'coins', amount, idempotencyKey: `${amount}` })
  const over = await give(2)
  expect([over.status, over.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect((await give(1)).status).toBe(200)
  expect((await verifyAudit(own.ctx, own.project.id)).ok).toBe(true)
  await own.close()
})

describe('a transfer', () => {
  const move = (id: string, body: object, role: StaffRole = 'CUSTOMER_SUPPORT', headers = {}) =>
    team.as(role).post(`/subscribers/${id}/transfer`, body, { headers })
  const undo = (id: string, role: StaffRole = 'DEVELOPER') => team.as(role).post(`/transfers/${id}/undo`)

  async function buyer() {
    const one = await person()
    await s.receipt(one.device, s.buy(MONTHLY))
    return one
  }

  test('moves everything, is listed, and is undone; each writes one audit row', async () => {
    const [from, to] = [await buyer(), await person()]
    const order = () => move(from.id, { toSubscriberId: to.id })
    const { answer, row } = await expectAudited(order, 'subscriber.transfer', 'CUSTOMER_SUPPORT')
    expect(answer.body.data).toMatchObject({ fromSubscriberId: from.id, toSubscriberId: to.id, dryRun: false })
    expect(answer.body.data.purchases).toHaveLength(1)
    const { transferId } = answer.body.data
    expect(row).toMatchObject({ target: { id: from.id }, after: { transferId, toSubscriberId: to.id } })
    const listed = (await team.as('DEVELOPER').get('/transfers')).body.data.items[0]
    expect(listed).toMatchObject({ id: transferId, cause: 'API', fromSubscriberId: from.id, undone: false })
    expect(listed.undoableUntil).toBeString()
    const undone = await expectAudited(() => undo(transferId), 'transfer.undo', 'DEVELOPER')
    expect(undone.answer.body.data).toMatchObject({ undone: true, restoredSubscriberId: from.id })
    await expectRefused(() => undo(transferId), 'CONFLICT')
    const after = (await team.as('DEVELOPER').get('/transfers')).body.data.items[0]
    expect(after).toMatchObject({ id: transferId, undone: true, undoableUntil: null })
  })

  test('of single purchases leaves the source alone', async () => {
    const [from, to] = [await buyer(), await person()]
    const { purchases } = (await team.as('OWNER').get(`/subscribers/${from.id}`)).body.data
    const answer = await move(from.id, { toSubscriberId: to.id, purchaseIds: [purchases[0].id] })
    expect(answer.body.data.purchases).toHaveLength(1)
    expect((await team.as('OWNER').get(`/subscribers/${from.id}`)).body.data).toMatchObject({
      purchases: [],
      mergedInto: null,
    })
  })

  test('of a dry run answers the same and writes nothing', async () => {
    const [from, to] = [await buyer(), await person()]
    const before = [await everything(s), (await audits()).length]
    const { status, body } = await move(from.id, { toSubscriberId: to.id, dryRun: true })
    expect([status, body.data.transferId, body.data.dryRun, body.data.purchases.length]).toEqual([200, null, true, 1])
    expect([await everything(s), (await audits()).length]).toEqual(before)
  })

  test('of a dry run tells the balances and the events that the transfer then has', async () => {
    const [from, to] = [await buyer(), await person()]
    const gift = { code: 'coins', amount: 7, idempotencyKey: 'before a move' }
    await team.as('OWNER').post(`/subscribers/${from.id}/credits`, gift)
    const typesOf = async (id: string): Promise<string[]> =>
      (await team.as('OWNER').get(`/subscribers/${id}/timeline`)).body.data.items
        .map(({ type }: { type: string }) => type)
        .toReversed()
    const before = { from: (await typesOf(from.id)).length, to: (await typesOf(to.id)).length }
    const order = { toSubscriberId: to.id }
    const { data } = (await move(from.id, { ...order, dryRun: true })).body
    expect([data.balancesBefore, data.balancesAfter]).toEqual([
      { from: { coins: 7 }, to: {} },
      { from: { coins: 0 }, to: { coins: 7 } },
    ])
    const done = (await move(from.id, order)).body.data
    expect(data.accessAfter).toEqual(done.accessAfter)
    expect(Object.keys(done)).not.toContain('eventTypes')
    const written = { from: (await typesOf(from.id)).slice(before.from), to: (await typesOf(to.id)).slice(before.to) }
    expect(data.eventTypes).toEqual(written)
    expect(written.to).toContain('subscriber.transferred')
  })

  test('with an Idempotency-Key runs once', async () => {
    const [from, to] = [await buyer(), await person()]
    const headers = { 'idempotency-key': 'move-once' }
    const first = await move(from.id, { toSubscriberId: to.id }, 'OWNER', headers)
    const before = (await audits()).length
    const again = await move(from.id, { toSubscriberId: to.id }, 'OWNER', headers)
    expect(again.body.data.transferId).toBe(first.body.data.transferId)
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect(await audits()).toHaveLength(before)
  })

  test('that cannot be is refused', async () => {
    const [from, to] = [await buyer(), await person()]
    const nobody = 'sub_00000000000000000000000000'
    await s.get('/v1/me', 'svc_their_person', { key: s.other.publicKey })
    const { subscribers: t } = s.ctx.tables
    const theirs = (await s.ctx.db.select().from(t)).find(({ projectId }) => projectId === s.other.id)?.id ?? ''
    for (const other of [nobody, theirs]) {
      await expectRefused(() => move(from.id, { toSubscriberId: other }), 'NOT_FOUND')
      await expectRefused(() => move(other, { toSubscriberId: to.id }), 'NOT_FOUND')
    }
    const { purchases } = (await team.as('OWNER').get(`/subscribers/${from.id}`)).body.data
    const notOwned = { toSubscriberId: from.id, purchaseIds: [purchases[0].id] }
    await expectRefused(() => move(to.id, notOwned), 'CONFLICT')
    for (const bad of [
      {},
      { toSubscriberId: from.id },
      { toSubscriberId: to.device },
      { toSubscriberId: to.id, purchaseIds: [] },
    ])
      await expectRefused(() => move(from.id, bad), 'VALIDATION_ERROR')
    await expectRefused(() => move(from.id, { toSubscriberId: to.id, force: true }), 'VALIDATION_ERROR')
    await expectRefused(() => move(from.id, { toSubscriberId: to.id }, 'GROWTH'), 'CAPABILITY_REQUIRED')
    await expectRefused(() => undo('trf_00000000000000000000000000'), 'NOT_FOUND')
    await expectRefused(() => undo('nonsense'), 'NOT_FOUND')
    expect((await team.as('GROWTH').get('/transfers')).body.error.code).toBe('CAPABILITY_REQUIRED')
  })

  test('is too old to be undone after 30 days, and the list says so', async () => {
    const [from, to] = [await buyer(), await person()]
    const { transferId } = (await move(from.id, { toSubscriberId: to.id })).body.data
    s.ctx.clock.advance(31 * DAY)
    await expectRefused(() => undo(transferId), 'CONFLICT')
    const { items } = (await team.as('OWNER').get('/transfers?limit=1')).body.data
    expect(items[0]).toMatchObject({ id: transferId, undoableUntil: null, undone: false })
  })

  test('is listed in pages without a gap', async () => {
    const whole = (await team.as('OWNER').get('/transfers?limit=200')).body.data.items.map(
      ({ id }: { id: string }) => id,
    )
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await team.as('OWNER').get(`/transfers?limit=2${cursor}`)
      seen.push(...body.data.items.map(({ id }: { id: string }) => id))
      if (body.data.nextCursor === null) break
      cursor = `&cursor=${body.data.nextCursor}`
    }
    expect(seen).toEqual(whole)
    expect(seen.length).toBeGreaterThan(3)
  })
})
