import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Context } from '../../src/base/context'
import { DAY } from '../../src/base/lib/clock'
import { CLI_ORIGIN } from '../../src/commerce/actions/actor'
import { insertSubscribers } from '../../src/people/subscribers/many-queries'
import { verifyAudit } from '../../src/projects/audit/audit'
import { type AudienceGranted, grantToAudience } from '../../src/targeting/audience-grants/service'
import { allRows, refusalOf, stateOf } from '../support/actions'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { access, eventTypes, identify, lastEvent, rowOf, type SubscriberRow } from '../support/facts'
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

/** A new audience, by an attribute that these people have. */
async function audienceOf(...names: string[]): Promise<{ id: string; name: string; devices: string[] }> {
  const group = `outage_${++count}`
  const devices = names.map((name) => `svc_${group}_${name}`)
  for (const device of devices) await s.post(`/v1/config?subscriberId=${device}`, { attributes: { group } })
  const { body } = await team.as('ADMIN').post('/audiences', { name: group, rules: { group } })
  return { id: body.data.id, name: group, devices }
}

const isoIn = (ms: number) => new Date(s.ctx.clock.now() + ms).toISOString()

const grant = (id: string, body: object = {}, options = {}, role: StaffRole = 'CUSTOMER_SUPPORT') =>
  team.as(role).post(`/audiences/${id}/grants`, { accessIds: ['pro'], ...body }, options)

const idsOf = async (devices: readonly string[]) =>
  (await Promise.all(devices.map((device) => rowOf(s, device)))).map(({ id }) => id)

/** How many purchases and grants a person has, after merges. */
async function grantsOf(device: string): Promise<number> {
  const { id } = (await s.get('/v1/me', device)).body.data.subscriber
  return (await eventTypes(s, id)).filter((type) => type === 'purchase.initial').length
}

const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)

/** Status and code of a refusal that wrote nothing. */
async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = await allRows(s)
  const { status, body } = await call()
  expect(await allRows(s)).toEqual(before)
  return [status, body.error.code]
}

describe('a grant to an audience', () => {
  test('gives access to everyone whom it matches, and to nobody else', async () => {
    const { id, name, devices } = await audienceOf('a', 'b', 'c')
    await s.get('/v1/me', 'svc_stranger')
    const before = await auditRows()
    const expiresAt = isoIn(7 * DAY)
    const { status, headers, body } = await grant(id, { expiresAt, reason: 'the outage' })
    const ids = await idsOf(devices)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      dryRun: false,
      audience: { id, name },
      ...{ matched: 3, granted: 3, unchanged: 0, expiresAt },
      people: ids.map((own, index) => ({ id: own, deviceKey: devices[index], appUserId: null })),
    })
    for (const device of devices) {
      expect(await access(s, device)).toEqual({ pro: expiresAt })
      expect(await lastEvent(s, device, 'purchase.initial')).toMatchObject({
        cause: { kind: 'DASHBOARD', ref: headers.get('x-request-id'), store: 'MANUAL', detail: 'the outage' },
      })
    }
    expect(await access(s, 'svc_stranger')).toEqual({})
    const rows = (await auditRows()).slice(before.length)
    expect(rows.map(({ target }) => target.id)).toEqual(ids)
    for (const row of rows)
      expect(row).toMatchObject({
        action: 'subscriber.grant',
        actor: { kind: 'USER', id: 'usr_customer_support' },
        before: null,
        after: { expiresAt, reason: 'the outage', audienceId: id },
      })
  })

  test('gives what a product gives, and finds the people of a list of ids', async () => {
    const { id, name, devices } = await audienceOf('a', 'b', 'c')
    await identify(s, devices[2] ?? '', `label_${name}`)
    const members = `${devices[0]}\nlabel_${name}\nnot_here`
    const path = `/dashboard/projects/${s.project.id}/audiences/${id}/members`
    const headers = { cookie: 'svc_session=ADMIN', origin: 'http://localhost', 'content-type': 'text/plain' }
    expect((await s.call('PUT', path, { key: null, headers, raw: members })).status).toBe(200)
    const isListed = { $or: [{ 'svc.appUserId': { $inGroup: name } }, { 'svc.deviceKey': { $inGroup: name } }] }
    expect((await team.as('ADMIN').patch(`/audiences/${id}`, { rules: isListed })).status).toBe(200)
    const { body } = await grant(id, { accessIds: undefined, productId: 'pro_yearly' })
    expect(body.data).toMatchObject({ matched: 2, granted: 2, expiresAt: null })
    expect(await access(s, devices[0] ?? '')).toEqual({ pro: null, coach: null })
    expect(await access(s, devices[1] ?? '')).toEqual({})
    expect(await access(s, devices[2] ?? '')).toEqual({ pro: null, coach: null })
  })

  test('counts those who have the access for as long already, and gives it to them too', async () => {
    const { id, devices } = await audienceOf('longer', 'shorter', 'none')
    await s.receipt(devices[0] ?? '', s.buy(MONTHLY))
    const end = (await access(s, devices[0] ?? '')).pro
    await team.as('ADMIN').post(`/subscribers/${devices[1]}/grants`, { accessIds: ['pro'], expiresAt: isoIn(DAY) })
    const figures = { matched: 3, granted: 3, unchanged: 1 }
    expect((await grant(id, { expiresAt: isoIn(2 * DAY), dryRun: true })).body.data).toMatchObject(figures)
    expect((await grant(id, { expiresAt: isoIn(2 * DAY) })).body.data).toMatchObject(figures)
    expect(await access(s, devices[0] ?? '')).toEqual({ pro: end ?? null })
    expect(await access(s, devices[1] ?? '')).toEqual({ pro: isoIn(2 * DAY) })
    expect(await grantsOf(devices[0] ?? '')).toBe(2)
  })

  test('to an audience without people does nothing', async () => {
    const { id } = await audienceOf()
    const before = await allRows(s)
    expect((await grant(id)).body.data).toMatchObject({ matched: 0, granted: 0, unchanged: 0, people: [] })
    expect(await allRows(s)).toEqual(before)
  })

  test('gives nothing to an erased person, and one grant to people who were merged', async () => {
    const { id, name, devices } = await audienceOf('erased', 'phone', 'tablet')
    await erase(s, (await rowOf(s, devices[0] ?? '')).id)
    await identify(s, devices[1] ?? '', `both_${name}`)
    await identify(s, devices[2] ?? '', `both_${name}`)
    const { body } = await grant(id)
    expect(body.data).toMatchObject({ matched: 1, granted: 1, people: [{ appUserId: `both_${name}` }] })
    expect(await access(s, devices[2] ?? '')).toEqual({ pro: null })
    expect(await grantsOf(devices[1] ?? '')).toBe(1)
  })

  test('with a key again is the same grant, and at the same time too', async () => {
    const { id, devices } = await audienceOf('a', 'b')
    const options = { headers: { 'idempotency-key': `of-${id}` } }
    const [first, again] = [await grant(id, {}, options), await grant(id, {}, options)]
    expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([200, first.body, 'true'])
    expect((await grant(id, { accessIds: ['coach'] }, options)).status).toBe(422)
    const both = { headers: { 'idempotency-key': `both-of-${id}` } }
    const answers = await Promise.all([grant(id, {}, both), grant(id, {}, both)])
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    for (const device of devices) expect(await grantsOf(device)).toBe(2)
  })

  test('two at once are two grants to each person', async () => {
    const { id, devices } = await audienceOf('a', 'b', 'c', 'd')
    const answers = await Promise.all([grant(id), grant(id, { expiresAt: isoIn(DAY) })])
    expect(answers.map(({ status, body }) => [status, body.data.granted])).toEqual([
      [200, 4],
      [200, 4],
    ])
    for (const device of devices) {
      expect(await grantsOf(device)).toBe(2)
      expect(await access(s, device)).toEqual({ pro: null })
    }
  })
})

describe('a dry run of a grant to an audience', () => {
  test('has the figures of the grant, and writes nothing', async () => {
    const { id } = await audienceOf('a', 'b')
    const before = await allRows(s)
    const body = { expiresAt: isoIn(DAY), reason: 'the outage' }
    const tried = await grant(id, { ...body, dryRun: true })
    expect([tried.status, await allRows(s)]).toEqual([200, before])
    const { data } = (await grant(id, body)).body
    expect(tried.body.data).toEqual({ ...data, dryRun: true })
    expect(data).toMatchObject({ matched: 2, granted: 2 })
  })

  test('is refused for what the grant is refused for', async () => {
    const { id } = await audienceOf('a')
    expect(await refused(() => grant(id, { accessIds: ['vip'], dryRun: true }))).toEqual([400, 'UNKNOWN_REFERENCES'])
    expect(await refused(() => grant('aud_none', { dryRun: true }))).toEqual([404, 'NOT_FOUND'])
    const options = { headers: { 'if-match': '"7"' } }
    expect(await refused(() => grant(id, { dryRun: true }, options))).toEqual([409, 'CONFLICT'])
  })
})

describe('no grant to an audience', () => {
  test('that the project does not have', async () => {
    const made = await team.as('ADMIN').post('/audiences', { name: 'Theirs', rules: {} })
    const { audiences: a } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(a).set({ projectId: s.other.id }).where(eq(a.id, made.body.data.id)))
    for (const id of [made.body.data.id, 'aud_none', '%00', 'x'.repeat(300)])
      expect((await refused(() => grant(id)))[0]).toBeOneOf([400, 404])
    expect(await refused(() => grant(made.body.data.id))).toEqual([404, 'NOT_FOUND'])
  })

  test.each<[name: string, body: object]>([
    ['nothing', { accessIds: undefined }],
    ['both', { productId: 'pro_monthly' }],
    ['a product without access', { accessIds: undefined, productId: 'coins_100' }],
    ['an end that has passed', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end that is no instant', { expiresAt: 'next summer' }],
    ['a reason of two lines', { reason: 'a\nb' }],
    ['a member that does not exist', { people: ['svc_ada'] }],
  ])('with %s', async (_name, body) => {
    const { id } = await audienceOf('a')
    expect(await refused(() => grant(id, body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('by those who may not change subscribers', async () => {
    const { id } = await audienceOf('a')
    const as = (role: StaffRole) => refused(() => grant(id, {}, {}, role))
    expect(await as('GROWTH')).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(await as('SUPPORT_READ')).toEqual([403, 'SUPPORT_ACCESS_READ_ONLY'])
    expect(await as('STRANGER')).toEqual([404, 'NOT_FOUND'])
  })

  test('that has another revision than the caller has seen', async () => {
    const { id } = await audienceOf('a')
    await team.as('ADMIN').patch(`/audiences/${id}`, { description: 'Changed' })
    const withRevision = (revision: number) => ({ headers: { 'if-match': `"${revision}"` } })
    expect(await refused(() => grant(id, {}, withRevision(1)))).toEqual([409, 'CONFLICT'])
    expect((await grant(id, {}, withRevision(2))).status).toBe(200)
  })

  test('of more people than one call may concern', async () => {
    const { id, name, devices } = await audienceOf('first')
    await addCopies(await rowOf(s, devices[0] ?? ''), 500)
    const { body } = await grant(id, { dryRun: true })
    expect(body.error.message).toStartWith(`501 people match ${name}, and one call gives access to at most 500. Make `)
    expect(await refused(() => grant(id))).toEqual([400, 'VALIDATION_ERROR'])
    await erase(s, (await rowOf(s, devices[0] ?? '')).id)
    expect((await grant(id, { dryRun: true })).body.data).toMatchObject({ matched: 500 })
  })
})

test('no grant to an audience of a project whose people are too many to be searched', async () => {
  const own = await stage()
  await own.get('/v1/me', 'svc_ada')
  const [ada] = await own.ctx.db.select().from(own.ctx.tables.subscribers)
  if (!ada) throw new Error('no subscriber')
  const { body } = await staff(own)
    .as('ADMIN')
    .post('/audiences', { name: 'Ada', rules: { 'svc.deviceKey': 'svc_ada' } })
  const give = () =>
    staff(own)
      .as('ADMIN')
      .post(`/audiences/${body.data.id}/grants`, { accessIds: ['pro'] })
  await addCopies(ada, 50_000, own)
  const { status, body: refusal } = await give()
  expect([status, refusal.error.message]).toEqual([400, expect.stringMatching(/has more than 50,000 people/)])
  expect(await access(own, 'svc_ada')).toEqual({})
  await own.close()
})

async function addCopies(row: SubscriberRow, number: number, at = s): Promise<void> {
  const copies = Array.from({ length: number }, (_, n) => ({
    ...row,
    id: `${row.id}_${n}`,
    deviceKey: `${row.id}_${n}`,
  }))
  await at.ctx.write((tx) => insertSubscribers(tx, copies))
}

describe('between the search and the grant', () => {
  /** Gives access to an audience, and runs something after its people were found. */
  async function grantAfter(audienceId: string, meanwhile: () => Promise<unknown>): Promise<AudienceGranted> {
    const write: Context['write'] = async (work) => {
      await meanwhile()
      return s.ctx.write(work)
    }
    const ctx = Object.create(s.ctx, { write: { value: write } }) as Context
    const terms = { productId: null, accessIds: ['pro'], expiresAt: null, reason: null }
    const order = { audienceId, ...terms, expected: null, origin: CLI_ORIGIN }
    return grantToAudience(ctx, await stateOf(s), order)
  }

  test('one is erased, one does not match any more, and two become one person', async () => {
    const { id, name, devices } = await audienceOf('erased', 'left', 'phone', 'tablet', 'stays')
    const [erased = '', left = '', phone = '', tablet = '', stays = ''] = devices
    const granted = await grantAfter(id, async () => {
      await erase(s, (await rowOf(s, erased)).id)
      await s.post(`/v1/config?subscriberId=${left}`, { attributes: { group: 'other' } })
      await identify(s, phone, `one_${name}`)
      await identify(s, tablet, `one_${name}`)
    })
    expect(granted.people.map((row) => row.appUserId ?? row.deviceKey).sort()).toEqual([`one_${name}`, stays].sort())
    expect(await access(s, left)).toEqual({})
    expect(await access(s, stays)).toEqual({ pro: null })
    expect(await access(s, tablet)).toEqual({ pro: null })
    expect(await grantsOf(phone)).toBe(1)
    expect(await grantsOf(left)).toBe(0)
  })

  test('the audience is deleted or gets other rules: nobody gets access', async () => {
    const { id, name, devices } = await audienceOf('a')
    const other = { rules: { group: name, country: 'TR' } }
    const changed = () => grantAfter(id, () => team.as('ADMIN').patch(`/audiences/${id}`, other))
    expect((await refusalOf(changed)).slice(0, 2)).toEqual([409, 'CONFLICT'])
    await team.as('ADMIN').patch(`/audiences/${id}`, { rules: { group: name } })
    const deleted = () => grantAfter(id, () => team.as('ADMIN').delete(`/audiences/${id}`))
    expect((await refusalOf(deleted)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
    expect(await access(s, devices[0] ?? '')).toEqual({})
  })
})
