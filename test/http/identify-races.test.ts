import { afterEach, beforeEach, expect, test } from 'bun:test'
import { and, eq, isNull } from 'drizzle-orm'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, balances, eventTypes, give, identify, rowOf } from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const live = async () => {
  const { subscribers: t } = s.ctx.tables
  return s.ctx.db
    .select()
    .from(t)
    .where(and(eq(t.projectId, s.project.id), isNull(t.mergedInto)))
}

/** Expects event numbers without a gap, each label once, and each purchase at a subscriber that is not merged. */
async function expectSound() {
  for (const { id } of await s.ctx.db.select().from(s.ctx.tables.subscribers)) await eventTypes(s, id)
  const rows = await live()
  const labels = rows.flatMap(({ appUserId }) => appUserId ?? [])
  expect(new Set(labels).size).toBe(labels.length)
  const ids = rows.map(({ id }) => id)
  for (const { subscriberId } of await s.ctx.db.select().from(s.ctx.tables.purchases))
    expect(ids).toContain(subscriberId)
}

test('20 parallel identifies of one label from 20 devices end in one live row that all of them reach', async () => {
  const devices = Array.from({ length: 20 }, (_, index) => `svc_${index}`)
  await s.receipt('svc_3', s.buy(MONTHLY))
  await s.receipt('svc_7', s.buy(YEARLY))
  const answers = await Promise.all(devices.map((device) => identify(s, device, 'ada')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.filter(({ body }) => body.data.transferred)).toHaveLength(19)
  const [row, ...others] = await live()
  expect(others).toEqual([])
  expect(row?.appUserId).toBe('ada')
  for (const device of devices) {
    const { body } = await s.get('/v1/me', device)
    expect([device, body.data.subscriber.id, Object.keys(body.data.access).sort()]).toEqual([
      device,
      row?.id,
      ['coach', 'pro'],
    ])
  }
  expect(await balances(s, 'svc_0')).toEqual({ coins: 500 })
  expect(await s.ctx.db.select().from(s.ctx.tables.transfers)).toHaveLength(19)
  await expectSound()
})

test('two crossing identifies at once: each label stays with one person, and nothing is lost', async () => {
  for (let round = 0; round < 8; round++) {
    const [left, right, ada, bo] = ['svc_l', 'svc_r', 'ada', 'bo'].map((name) => `${name}${round}`) as [
      string,
      string,
      string,
      string,
    ]
    await s.receipt(left, s.buy(YEARLY))
    await identify(s, left, ada)
    await s.receipt(right, s.buy(MONTHLY))
    await identify(s, right, bo)
    await give(s, bo, 7, `gift${round}`)
    const answers = await Promise.all([identify(s, left, bo), identify(s, right, ada)])
    expect(answers.map(({ status, body }) => [status, body.data.transferred])).toEqual([
      [200, true],
      [200, true],
    ])
    expect(Object.keys(await access(s, left))).toEqual(['pro'])
    expect(await balances(s, left)).toEqual({ gems: 7 })
    expect(Object.keys(await access(s, right)).sort()).toEqual(['coach', 'pro'])
    expect(await balances(s, right)).toEqual({ coins: 500 })
  }
  await expectSound()
})

test('two labels for one device at once: both are somebody, and only one of them is the device', async () => {
  for (let round = 0; round < 8; round++) {
    const device = `svc_${round}`
    await s.receipt(device, s.buy(MONTHLY))
    const labels = [`ada${round}`, `bo${round}`]
    const answers = await Promise.all(labels.map((label) => identify(s, device, label)))
    expect(answers.map(({ status, body }) => [status, body.data.transferred])).toEqual([
      [200, false],
      [200, false],
    ])
    const ids = answers.map(({ body }) => body.data.subscriberId)
    expect(new Set(ids).size).toBe(2)
    const me = (await s.get('/v1/me', device)).body.data.subscriber
    expect(labels).toContain(me.appUserId)
    for (const [index, label] of labels.entries()) {
      const { subscribers: t } = s.ctx.tables
      const [row] = await s.ctx.db.select().from(t).where(eq(t.appUserId, label))
      expect(row?.id).toBe(ids[index])
    }
  }
  await expectSound()
})

test('two devices of one person that say different labels at once never overwrite each other', async () => {
  for (let round = 0; round < 8; round++) {
    const [old, fresh] = [`svc_old${round}`, `svc_new${round}`]
    // Creates one subscriber with two devices and no label: a temporary label merges them.
    await identify(s, old, `tmp${round}`)
    await identify(s, fresh, `tmp${round}`)
    const { subscribers: t } = s.ctx.tables
    const shared = await rowOf(s, fresh)
    await s.ctx.write((tx) => tx.db.update(t).set({ appUserId: null }).where(eq(t.id, shared.id)))
    const labels = [`ada${round}`, `bo${round}`]
    const answers = await Promise.all([identify(s, old, labels[0] ?? ''), identify(s, fresh, labels[1] ?? '')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body.data.subscriberId).not.toBe(answers[1]?.body.data.subscriberId)
    for (const [index, label] of labels.entries()) {
      const [row] = await s.ctx.db.select().from(t).where(eq(t.appUserId, label))
      expect(row?.id).toBe(answers[index]?.body.data.subscriberId)
    }
  }
  await expectSound()
})

test('receipts, gifts and attributes that come during a merge are all with the survivor', async () => {
  await identify(s, 'svc_old', 'ada')
  const headers = { 'x-svc-app-user-id': 'svc_old' }
  const answers = await Promise.all([
    s.receipt('svc_old', s.buy(MONTHLY)),
    s.receipt('svc_old', s.buy(YEARLY)),
    identify(s, 'svc_new', 'ada'),
    s.receipt('svc_old', s.buy(MONTHLY)),
    s.receipt('svc_new', s.buy(MONTHLY)),
    give(s, 'ada', 42, 'gift'),
    s.post('/v1/me/attributes', { attributes: { plan: 'gold' } }, { headers }),
    identify(s, 'svc_newer', 'ada'),
    s.receipt('svc_old', s.buy(MONTHLY)),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const rows = await live()
  expect(rows).toHaveLength(1)
  expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(5)
  expect(await balances(s, 'svc_new')).toEqual({ coins: 500, gems: 42 })
  expect((await s.get('/v1/me', 'svc_old')).body.data.subscriber).toEqual({
    id: rows[0]?.id,
    appUserId: 'ada',
    attributes: { plan: 'gold' },
  })
  await expectSound()
})
