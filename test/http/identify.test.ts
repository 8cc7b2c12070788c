import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  balances,
  damage,
  eventTypes,
  everything,
  expectRefused,
  give,
  identify,
  money,
  rowOf,
} from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const transfersOf = () => s.ctx.db.select().from(s.ctx.tables.transfers)

const accessOfLabel = async (label: string) => {
  const path = `/v1/subscribers/${encodeURIComponent(label)}/access`
  return (await s.get(path, undefined, { key: s.project.secretKey })).body
}

describe('the body', () => {
  const long = 'x'.repeat(129)
  const refused: [name: string, body: Record<string, unknown>][] = [
    ['no device key', { appUserId: 'user_1' }],
    ['an empty device key', { deviceKey: '', appUserId: 'user_1' }],
    ['a device key of 129 characters', { deviceKey: long, appUserId: 'user_1' }],
    ['a device key with a control character', { deviceKey: 'svc_\u0007', appUserId: 'user_1' }],
    ['a device key that is no string', { deviceKey: 7, appUserId: 'user_1' }],
    ['an svcId of 129 characters', { svcId: long, appUserId: 'user_1' }],
    ['deviceKey and svcId that differ', { deviceKey: 'svc_1', svcId: 'svc_2', appUserId: 'user_1' }],
    ['no label', { deviceKey: 'svc_1' }],
    ['an empty label', { deviceKey: 'svc_1', appUserId: '' }],
    ['a blank label', { deviceKey: 'svc_1', appUserId: ' \t\n\u00a0' }],
    ['a label of 256 characters', { deviceKey: 'svc_1', appUserId: 'x'.repeat(256) }],
    ['a label with NUL', { deviceKey: 'svc_1', appUserId: 'a\u0000b' }],
    ['a label that is no string', { deviceKey: 'svc_1', appUserId: 42 }],
    ['a label that is null', { deviceKey: 'svc_1', appUserId: null }],
    ...['ios:', 'android:', 'payment:', 'import:'].map((prefix): [string, Record<string, unknown>] => [
      `a device key that begins with ${prefix}`,
      { deviceKey: `${prefix}2000000000000001`, appUserId: 'user_1' },
    ]),
  ]
  test('is refused with 400, and nothing is written, when it has', async () => {
    for (const [name, body] of refused)
      for (const key of [s.project.publicKey, s.project.secretKey]) {
        const { status, body: answer } = await s.post('/v1/identify', body, { key })
        expect([name, status, answer.error.code]).toEqual([name, 400, 'VALIDATION_ERROR'])
      }
    expect(await everything(s)).toEqual([])
  })

  test('may name the device svcId, or name it twice alike', async () => {
    const first = await s.post('/v1/identify', { svcId: 'svc_1', appUserId: 'user_1' })
    const second = await s.post('/v1/identify', { svcId: 'svc_1', deviceKey: 'svc_1', appUserId: 'user_1' })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
  })

  test('may have further members, and texts at their limits', async () => {
    const deviceKey = 'd'.repeat(128)
    const appUserId = 'ü'.repeat(255)
    const { status, body } = await s.post('/v1/identify', { deviceKey, appUserId, colour: 'red' })
    expect([status, body.data.appUserId]).toEqual([200, appUserId])
  })

  test('without a key it is 401, whatever it holds', async () => {
    const answer = await s.post('/v1/identify', { nonsense: 1 }, { key: null })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'BEARER_REQUIRED'])
  })
})

describe('a device that nobody has identified yet', () => {
  test('gets a row with the label, and one event', async () => {
    const headers = { 'x-svc-platform': ' Android ' }
    const answer = await s.post('/v1/identify', { deviceKey: 'svc_1', appUserId: 'user_1' }, { headers })
    const row = await rowOf(s, 'svc_1')
    expect(answer.body).toEqual({ data: { subscriberId: row.id, appUserId: 'user_1', transferred: false } })
    expect(row).toMatchObject({ appUserId: 'user_1', mergedInto: null, seq: 1 })
    expect(row.attributes.platform).toMatchObject({ value: 'android', source: 'sdk' })
    const [event, ...others] = await s.events(row.id)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      seq: 1,
      type: 'subscriber.identified',
      appUserId: 'user_1',
      environment: 'PRODUCTION',
      cause: { kind: 'IDENTIFY', ref: answer.headers.get('x-request-id') },
      data: { appUserId: 'user_1', previousAppUserId: null },
      before: { access: {}, balances: {} },
      after: { access: {}, balances: {} },
    })
    expect(await transfersOf()).toEqual([])
  })

  test('keeps the row it has, with purchases and attributes', async () => {
    const { body } = await s.receipt('svc_1', s.buy(MONTHLY))
    await s.post('/v1/me/attributes', { attributes: { mood: 'good' } }, { headers: { 'x-svc-app-user-id': 'svc_1' } })
    const answer = await identify(s, 'svc_1', 'user_1')
    expect(answer.body.data).toEqual({
      subscriberId: body.data.subscriber.id,
      appUserId: 'user_1',
      transferred: false,
    })
    const me = await s.get('/v1/me', 'svc_1')
    expect(me.body.data).toEqual({
      subscriber: { id: body.data.subscriber.id, appUserId: 'user_1', attributes: { mood: 'good' } },
      access: body.data.access,
    })
    expect(await eventTypes(s, body.data.subscriber.id)).toEqual([
      'purchase.initial',
      'entitlement.granted',
      'subscriber.identified',
    ])
  })

  test('writes nothing when it says its label again', async () => {
    const first = await identify(s, 'svc_1', 'user_1')
    const before = await everything(s)
    const second = await identify(s, 'svc_1', 'user_1')
    expect(second.body).toEqual(first.body)
    expect(await everything(s)).toEqual(before)
  })
})

describe('a label', () => {
  test('is kept as sent: blanks and case make another person', async () => {
    const answers = [
      await identify(s, 'svc_1', 'user_1'),
      await identify(s, 'svc_2', ' user_1 '),
      await identify(s, 'svc_3', 'User_1'),
      await identify(s, 'svc_4', 'user\u00b9'),
    ]
    expect(answers.map(({ body }) => body.data.appUserId)).toEqual(['user_1', ' user_1 ', 'User_1', 'user\u00b9'])
    expect(answers.map(({ body }) => body.data.transferred)).toEqual([false, false, false, false])
    expect(new Set(answers.map(({ body }) => body.data.subscriberId)).size).toBe(4)
  })

  test('may equal the device key of somebody else, who keeps everything', async () => {
    await s.receipt('svc_2', s.buy(MONTHLY))
    const other = await rowOf(s, 'svc_2')
    const answer = await identify(s, 'svc_1', 'svc_2')
    expect(answer.body.data.transferred).toBe(false)
    expect(answer.body.data.subscriberId).not.toBe(other.id)
    expect(await access(s, 'svc_1')).toEqual({})
    expect(Object.keys(await access(s, 'svc_2'))).toEqual(['pro'])
    expect(await rowOf(s, 'svc_2')).toEqual(other)
  })

  test('of another project is another person', async () => {
    await s.receipt('svc_1', s.buy(MONTHLY))
    await identify(s, 'svc_1', 'user_1')
    const before = (await everything(s)).filter((text) => text.includes(s.project.id))
    const elsewhere = { deviceKey: 'svc_1', appUserId: 'user_1' }
    const answer = await s.post('/v1/identify', elsewhere, { key: s.other.publicKey })
    expect(answer.body.data.transferred).toBe(false)
    expect((await everything(s)).filter((text) => text.includes(s.project.id))).toEqual(before)
  })
})

describe('a device that says another label', () => {
  test('an account switch that hands one person\u2019s purchases to the next'.replace('\u2019', "'"), async () => {
    const bought = s.buy(YEARLY)
    await s.receipt('svc_1', bought)
    const { body: ada } = await identify(s, 'svc_1', 'ada')
    await give(s, 'ada', 42, 'gift')
    const adas = { row: await rowOf(s, 'svc_1'), events: await s.events(ada.data.subscriberId) }

    const { body: bo } = await identify(s, 'svc_1', 'bo')
    expect(bo.data).toEqual({ subscriberId: expect.any(String), appUserId: 'bo', transferred: false })
    expect(bo.data.subscriberId).not.toBe(ada.data.subscriberId)
    // The new row has nothing of the old one.
    expect(await access(s, 'svc_1')).toEqual({})
    expect(await balances(s, 'svc_1')).toEqual({})
    expect(await eventTypes(s, bo.data.subscriberId)).toEqual(['subscriber.identified'])
    expect(await money(s, bo.data.subscriberId)).toEqual([])
    // The device posts its history again: the purchase stays with the account that owned it first.
    await expectRefused(s, () => s.receipt('svc_1', bought), 409, 'RECEIPT_IN_USE')
    // The old row keeps label, purchases and balances, and no event was recorded for it.
    const [old] = await s.ctx.db
      .select()
      .from(s.ctx.tables.subscribers)
      .where(eq(s.ctx.tables.subscribers.id, ada.data.subscriberId))
    expect({ ...old, deviceKey: '', updatedAt: 0 }).toEqual({ ...adas.row, deviceKey: '', updatedAt: 0 })
    expect(await s.events(ada.data.subscriberId)).toEqual(adas.events)
    expect(Object.keys((await accessOfLabel('ada')).data.access).sort()).toEqual(['coach', 'pro'])
    expect(await transfersOf()).toEqual([])
  })

  test('leaves a row that the next device reaches by its label, with everything', async () => {
    await s.receipt('svc_1', s.buy(YEARLY))
    await identify(s, 'svc_1', 'ada')
    await give(s, 'ada', 42, 'gift')
    await identify(s, 'svc_1', 'bo')
    const { body } = await identify(s, 'svc_2', 'ada')
    expect(body.data.transferred).toBe(true)
    expect(Object.keys(await access(s, 'svc_2')).sort()).toEqual(['coach', 'pro'])
    expect(await balances(s, 'svc_2')).toEqual({ coins: 500, gems: 42 })
    expect(await access(s, 'svc_1')).toEqual({})
  })

  test('and back again finds its first row by the label', async () => {
    await s.receipt('svc_1', s.buy(MONTHLY))
    await identify(s, 'svc_1', 'ada')
    await identify(s, 'svc_1', 'bo')
    const { body } = await identify(s, 'svc_1', 'ada')
    expect(body.data.transferred).toBe(true)
    expect(Object.keys(await access(s, 'svc_1'))).toEqual(['pro'])
    expect((await accessOfLabel('bo')).data.access).toEqual({})
  })

  test('the key of the old row is one that no device can present', async () => {
    const { body } = await identify(s, 'svc_1', 'ada')
    await identify(s, 'svc_1', 'bo')
    const [old] = await s.ctx.db
      .select()
      .from(s.ctx.tables.subscribers)
      .where(eq(s.ctx.tables.subscribers.id, body.data.subscriberId))
    const answer = await identify(s, old?.deviceKey ?? '', 'cy')
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await accessOfLabel('ada')).data).toEqual({ access: {} })
  })

  test('when the label is held elsewhere takes that row over, and leaves its own behind', async () => {
    await s.receipt('svc_1', s.buy(MONTHLY))
    await identify(s, 'svc_1', 'ada')
    await s.receipt('svc_2', s.buy(YEARLY))
    await identify(s, 'svc_2', 'bo')
    const { body } = await identify(s, 'svc_1', 'bo')
    expect(body.data.transferred).toBe(true)
    expect(Object.keys(await access(s, 'svc_1')).sort()).toEqual(['coach', 'pro'])
    expect(Object.keys((await accessOfLabel('ada')).data.access)).toEqual(['pro'])
    expect(await access(s, 'svc_2')).toEqual(await access(s, 'svc_1'))
  })

  test('whose row was merged away leaves the survivor to the other device', async () => {
    await identify(s, 'svc_1', 'ada')
    await identify(s, 'svc_2', 'ada')
    await s.receipt('svc_1', s.buy(MONTHLY))
    await identify(s, 'svc_1', 'bo')
    expect(await access(s, 'svc_1')).toEqual({})
    expect(Object.keys(await access(s, 'svc_2'))).toEqual(['pro'])
    expect((await s.get('/v1/me', 'svc_2')).body.data.subscriber.appUserId).toBe('ada')
  })
})

describe('a device whose way is broken', () => {
  const chain = async (length: number): Promise<string[]> => {
    const devices = Array.from({ length }, (_, index) => `svc_chain_${index}`)
    for (const device of devices) await s.get('/v1/me', device)
    const rows = await Promise.all(devices.map((device) => rowOf(s, device)))
    for (const [index, { id }] of rows.entries()) await damage(s, id, { mergedInto: rows[index + 1]?.id ?? null })
    return rows.map(({ id }) => id)
  }

  test('that was merged 32 times over is still found', async () => {
    const ids = await chain(33)
    const { body } = await identify(s, 'svc_chain_0', 'ada')
    expect(body.data).toEqual({ subscriberId: ids[32], appUserId: 'ada', transferred: false })
    expect((await s.get('/v1/me', 'svc_chain_0')).body.data.subscriber.id).toBe(ids[32])
  })

  test('by 33 hops is 409, and nothing is written', async () => {
    await chain(34)
    await expectRefused(s, () => identify(s, 'svc_chain_0', 'ada'), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('by a cycle is 409, and nothing is written', async () => {
    const [first = '', second = ''] = await chain(2)
    await damage(s, second, { mergedInto: first })
    await expectRefused(s, () => identify(s, 'svc_chain_0', 'ada'), 409, 'SUBSCRIBER_UNRESOLVABLE')
    await damage(s, first, { mergedInto: first })
    await expectRefused(s, () => identify(s, 'svc_chain_0', 'ada'), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('by a missing row, or one of another project, is 409, and nothing is written', async () => {
    const [first = ''] = await chain(1)
    await damage(s, first, { mergedInto: 'sub_00000000000000000000000000' })
    await expectRefused(s, () => identify(s, 'svc_chain_0', 'ada'), 409, 'SUBSCRIBER_UNRESOLVABLE')
    const { body } = await s.get('/v1/me', 'svc_elsewhere', { key: s.other.publicKey })
    await damage(s, first, { mergedInto: body.data.subscriber.id })
    await expectRefused(s, () => identify(s, 'svc_chain_0', 'ada'), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('by erasure is 409, at once or at the end of the chain, and nothing is written', async () => {
    const [, last = ''] = await chain(2)
    await damage(s, last, { erasedAt: s.ctx.clock.now() })
    for (const device of ['svc_chain_0', 'svc_chain_1'])
      await expectRefused(s, () => identify(s, device, 'ada'), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('40 installs of one person, one after another, all lead to the newest', async () => {
    const devices = Array.from({ length: 40 }, (_, index) => `svc_install_${index}`)
    for (const device of devices) expect((await identify(s, device, 'ada')).status).toBe(200)
    const newest = await rowOf(s, 'svc_install_39')
    for (const device of devices) {
      const me = await s.get('/v1/me', device)
      expect([device, me.status, me.body.data?.subscriber.id]).toEqual([device, 200, newest.id])
    }
  })
})
