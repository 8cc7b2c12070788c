import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { expectDrawsToHold } from '../support/draws'
import { hasSqld, type Sqld, startSqld } from '../support/sqld'

/** Identify and a receipt with a real libSQL server, directly and through an embedded replica. */
for (const kind of ['remote', 'replica'] as const)
  describe.skipIf(!hasSqld())(kind, () => {
    let sqld: Sqld
    let s: Stage
    let folder: string
    beforeAll(async () => {
      sqld = await startSqld()
      folder = mkdtempSync(join(tmpdir(), 'svc-replica-'))
      const replica = kind === 'replica' ? { SVC_DATABASE_REPLICA: join(folder, 'replica.db') } : {}
      s = await stage({ env: { SVC_DATABASE_URL: sqld.url, ...replica } })
    })
    afterAll(async () => {
      await s.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a receipt becomes an entitlement and the same receipt changes nothing', async () => {
      const bought = s.buy(MONTHLY)
      const first = await s.receipt('svc_ada', bought)
      const again = await s.receipt('svc_ada', bought)
      expect([first.status, again.status]).toEqual([200, 200])
      expect(again.body).toEqual(first.body)
      expect((await s.get('/v1/me/entitlements', 'svc_ada')).body.data.entitlements.pro.productIdentifier).toBe(
        'pro_monthly',
      )
      expect((await s.events(first.body.data.subscriber.id)).map(({ type }) => type)).toEqual([
        'purchase.initial',
        'entitlement.granted',
      ])
    })

    test('identify brings the purchases of another install', async () => {
      await s.receipt('svc_old', s.buy(MONTHLY))
      await s.post('/v1/identify', { deviceKey: 'svc_old', appUserId: 'bo' })
      const moved = await s.post('/v1/identify', { deviceKey: 'svc_new', appUserId: 'bo' })
      expect(moved.body.data).toMatchObject({ appUserId: 'bo', transferred: true })
      expect((await s.get('/v1/me', 'svc_new')).body.data.access.pro.isActive).toBe(true)
      expect((await s.get('/v1/me', 'svc_new')).body.data.subscriber.appUserId).toBe('bo')
    })

    test('twenty simultaneous spends of ten coins from a hundred succeed ten times', async () => {
      await s.receipt('svc_cy', s.buy(COINS))
      const spend = (n: number) =>
        s.post(
          '/v1/virtual-currencies/svc_cy/coins/transactions',
          { amount: -10, idempotencyKey: `spend-${n}` },
          { key: s.project.secretKey },
        )
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => spend(n)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
      expect((await s.get('/v1/virtual-currencies/me', 'svc_cy')).body.data.balances).toEqual({ coins: 0 })
    })

    test('everybody is given the variant of the specification, and keeps it after a restart', () =>
      expectDrawsToHold(s))

    test('a server that is away is 503 and needs no restart of ours when it is back', async () => {
      await sqld.kill()
      const away = await s.receipt('svc_dee', s.buy(MONTHLY))
      expect(away).toMatchObject({ status: 503, body: { error: { code: 'DATABASE_UNAVAILABLE' } } })
      expect(away.headers.get('retry-after')).toBe('5')
      await sqld.restart()
      const bought = s.buy(MONTHLY)
      let back = await s.receipt('svc_dee', bought)
      while (back.status === 503) back = await s.receipt('svc_dee', bought)
      expect(back.status).toBe(200)
    })
  })
