import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type AndroidStage, androidStage } from '../../support/android'
import { access, changeSettings, eventTypes, everything, expectRefused, identify, rowOf } from '../../support/facts'
import { SHOPS } from '../../support/shops'
import { expectSubmitted, follow, on, sweep } from '../../support/story'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
})
afterEach(() => s.close())

const secret = () => ({ key: s.project.secretKey })
const transfer = (fromAppUserId: string, toAppUserId: string) =>
  s.post('/v1/subscribers/transfer', { fromAppUserId, toAppUserId }, secret())
const assign = (subscriberId: string, experimentId: string, variantId: string) =>
  s.ctx.write(async (tx) => {
    const row = { experimentId, subscriberId, projectId: s.project.id, variantId, hashVersion: 1, assignedAt: 1 }
    await tx.db.insert(tx.tables.assignments).values(row)
  })

describe('merge without recomputed access', () => {
  for (const shop of SHOPS) {
    const merges: [name: string, merge: () => Promise<unknown>][] = [
      ['identify', () => identify(s, 'svc_new', 'ada')],
      ['transfer', () => transfer('ada', 'svc_new')],
    ]
    for (const [name, merge] of merges)
      test(`${shop.name}, by ${name}: the survivor has it at once, and hears of its end`, async () => {
        const bought = await shop.buy(s, 'pro_monthly')
        await expectSubmitted(bought.show('svc_old'))
        await identify(s, 'svc_old', 'ada')
        await s.get('/v1/me', 'svc_new')
        const fresh = follow(s, 'svc_new')
        await merge()
        const identified = name === 'identify' ? ['subscriber.identified'] : []
        await fresh({
          events: ['entitlement.granted', 'subscriber.transferred', ...identified],
          access: { pro: '2026-12-20' },
          net: 9_990_000,
        })
        // Both devices belong to one person by now.
        expect(await access(s, 'svc_old')).toEqual(await access(s, 'svc_new'))
        on(s, '2026-12-20')
        await sweep(s)
        await fresh({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
        expect(await access(s, 'svc_old')).toEqual({})
      })
    test(`${shop.name}: of two that hold the same, the later end counts`, async () => {
      const month = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(month.show('svc_old'))
      await identify(s, 'svc_old', 'ada')
      const year = await shop.buy(s, 'pro_yearly')
      await expectSubmitted(year.show('svc_new'))
      await identify(s, 'svc_new', 'ada')
      expect(await access(s, 'svc_new')).toMatchObject({ pro: '2027-11-20T08:00:00.000Z' })
      await year.refund()
      expect(await access(s, 'svc_new')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    })
    test(`${shop.name}: a lapsed purchase gives the survivor nothing`, async () => {
      const bought = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(bought.show('svc_old'))
      await identify(s, 'svc_old', 'ada')
      on(s, '2026-12-20') // The sweep has not run.
      await identify(s, 'svc_new', 'ada')
      expect(await access(s, 'svc_new')).toEqual({})
      expect(await eventTypes(s, (await rowOf(s, 'svc_new')).id)).not.toContain('entitlement.granted')
    })
  }
})

describe('merge crash on a shared experiment', () => {
  const variants = async (device: string) => {
    const { id } = await rowOf(s, device)
    const rows = await s.ctx.db.select().from(s.ctx.tables.assignments)
    return rows
      .filter(({ subscriberId }) => subscriberId === id)
      .map(({ experimentId, variantId }) => `${experimentId}=${variantId}`)
      .sort()
  }
  for (const shop of SHOPS)
    for (const [name, merge] of [
      ['identify', () => identify(s, 'svc_new', 'ada')],
      ['transfer', () => transfer('ada', 'svc_new')],
    ] as const)
      test(`${shop.name}, by ${name}: the survivor's own variant stays, and everything else follows`, async () => {
        for (const device of ['svc_old', 'svc_new']) {
          const bought = await shop.buy(s, 'pro_yearly')
          await expectSubmitted(bought.show(device))
        }
        await identify(s, 'svc_old', 'ada')
        const [oldId, newId] = [(await rowOf(s, 'svc_old')).id, (await rowOf(s, 'svc_new')).id]
        for (const [id, variant] of [
          [oldId, 'a'],
          [newId, 'b'],
        ] as const)
          for (const experiment of ['exp_one', 'exp_two']) await assign(id, experiment, variant)
        await assign(oldId, 'exp_old', 'a')
        expect((await merge()).status).toBe(200)
        expect([await variants('svc_new'), await variants('svc_old')]).toEqual([
          ['exp_old=a', 'exp_one=b', 'exp_two=b'],
          [],
        ])
        expect(Object.keys(await access(s, 'svc_new')).sort()).toEqual(['coach', 'pro'])
        const purchases = await s.ctx.db.select().from(s.ctx.tables.purchases)
        expect(purchases.map(({ subscriberId }) => subscriberId)).toEqual([newId, newId])
      })
})

describe('receipt of one account unlocking another', () => {
  const TOKEN = '7e3fb20b-4cdb-47cc-936d-99d65f608138'
  const OTHER = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
  for (const shop of SHOPS) {
    test(`${shop.name}: submitted by a stranger, with or without a name, in every form`, async () => {
      const bought = await shop.buy(s, 'pro_yearly', { account: TOKEN })
      await expectSubmitted(bought.show('svc_ada'))
      await identify(s, 'svc_ada', 'ada')
      await s.get('/v1/me', 'svc_anybody')
      await identify(s, 'svc_mallory', 'mallory')
      for (const device of ['svc_anybody', 'svc_mallory', 'svc_unknown']) {
        // The right token in plain text proves nothing, because everybody who has the receipt can read it.
        const claims = [
          {},
          { appAccountToken: TOKEN },
          { appAccountToken: OTHER },
          { obfuscatedAccountId: OTHER },
          { obfuscatedProfileId: TOKEN },
        ]
        for (const more of claims) await expectRefused(s, () => bought.show(device, more), 409, 'RECEIPT_IN_USE')
        // A server may claim a purchase for the account that it names, and for no other.
        const asServer = () => bought.show(device, { appAccountToken: OTHER }, s.project.secretKey)
        await expectRefused(s, asServer, 409, 'RECEIPT_IN_USE')
      }
      const before = await everything(s)
      for (const device of ['svc_anybody', 'svc_mallory']) {
        const answer = await s.post(`/v1/subscribers/${device}/restore`, { receipts: [bought.receipt()] })
        expect([answer.status, answer.body.error.code]).toEqual([409, 'RECEIPT_IN_USE'])
        expect(await access(s, device)).toEqual({})
      }
      expect(await everything(s)).toEqual(before)
      expect(Object.keys(await access(s, 'svc_ada')).sort()).toEqual(['coach', 'pro'])
    })
    test(`${shop.name}: under the setting never, of somebody without a name too`, async () => {
      await changeSettings(s, { purchaseTransfer: 'never' })
      const bought = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(bought.show('svc_ada'))
      await expectRefused(s, () => bought.show('svc_mallory'), 409, 'RECEIPT_IN_USE')
      expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    })
    test(`${shop.name}: the next person on the same device does not inherit it`, async () => {
      const bought = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(bought.show('svc_tablet'))
      await identify(s, 'svc_tablet', 'ada')
      await identify(s, 'svc_tablet', 'bo')
      expect(await access(s, 'svc_tablet')).toEqual({})
      await expectRefused(s, () => bought.show('svc_tablet'), 409, 'RECEIPT_IN_USE')
      on(s, '2026-12-19')
      await bought.renew() // The purchase belongs to Ada, whichever account she uses.
      expect(await access(s, 'svc_tablet')).toEqual({})
      await identify(s, 'svc_phone', 'ada')
      expect(await access(s, 'svc_phone')).toEqual({ pro: '2027-01-20T08:00:00.000Z' })
    })
  }
})
