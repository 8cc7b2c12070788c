import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { findTexts } from '../support/byte-search'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { rowOf } from '../support/facts'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
})
afterAll(() => s.close())

const ROUNDS = 12

test('whatever comes while a person is erased, nothing of them stays, and nobody else is erased', async () => {
  const statuses = new Map<string, Set<number>>()
  const note = (name: string, { status }: { status: number }) =>
    statuses.set(name, (statuses.get(name) ?? new Set()).add(status))
  for (let round = 0; round < ROUNDS; round++) {
    const [device, label] = [`svc_gone${round}_phone`, `gone${round}_label`]
    await s.post('/v1/identify', { deviceKey: device, appUserId: label })
    const bought = s.buy(MONTHLY)
    const { id } = await rowOf(s, device)
    const header = { headers: { 'x-svc-app-user-id': device } }
    const calls: [string, () => Promise<{ status: number }>][] = [
      ['attributes', () => s.post('/v1/me/attributes', { attributes: { note: `gone${round}_note` } }, header)],
      ['receipt', () => s.receipt(device, bought)],
      ['identify', () => s.post('/v1/identify', { deviceKey: `svc_other_phone_${round}`, appUserId: label })],
      ['again', () => s.post('/v1/identify', { deviceKey: device, appUserId: label })],
    ]
    const later = calls.slice(round % calls.length).concat(calls.slice(0, round % calls.length))
    const begun = later.slice(0, 2).map(async ([name, call]) => note(name, await call()))
    const erased = erase(s, id)
    await Promise.all([...begun, erased, ...later.slice(2).map(async ([name, call]) => note(name, await call()))])
    for (const [name, call] of calls) note(`${name} afterwards`, await call())
    const rows = await s.ctx.db.select().from(s.ctx.tables.subscribers).where(eq(s.ctx.tables.subscribers.id, id))
    expect(rows.every(({ erasedAt, mergedInto }) => erasedAt !== null || mergedInto !== null)).toBe(true)
    expect(await findTexts(s.ctx, [`gone${round}_`])).toEqual([])
  }
  for (const [name, seen] of statuses)
    expect([name, [...seen].filter((one) => one !== 200 && one !== 409)]).toEqual([name, []])
  expect([...(statuses.get('receipt afterwards') ?? [])]).toEqual([409])
  expect([...(statuses.get('again afterwards') ?? [])]).toEqual([409])
  expect([...(statuses.get('identify afterwards') ?? [])]).toEqual([409])
}, 600_000)

test('a phone that two people used: the other one stays as they are', async () => {
  await s.post('/v1/identify', { deviceKey: 'svc_shared', appUserId: 'shared-ann' })
  const ann = await rowOf(s, 'svc_shared')
  await s.post('/v1/identify', { deviceKey: 'svc_shared', appUserId: 'shared-ben' })
  const ben = await rowOf(s, 'svc_shared')
  expect(ben.id).not.toBe(ann.id)
  await erase(s, ann.id)
  const me = await s.get('/v1/me', 'svc_shared')
  expect(me.body.data.subscriber).toMatchObject({ id: ben.id, appUserId: 'shared-ben' })
  expect(await findTexts(s.ctx, ['shared-ann'])).toEqual([])
  await erase(s, ben.id)
  expect(await findTexts(s.ctx, ['shared-ben', 'svc_shared'])).toEqual([])
})
