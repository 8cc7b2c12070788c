import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { type CountedServer, countRequests } from '../support/counted-server'
import { give, identify } from '../support/facts'
import { hasSqld, startSqld } from '../support/sqld'

describe.skipIf(!hasSqld())('requests to a libSQL server', () => {
  let counted: CountedServer
  let s: Stage
  beforeAll(async () => {
    counted = countRequests((await startSqld()).url)
    s = await stage({ env: { SVC_DATABASE_URL: counted.url } })
    await s.receipt('svc_warm', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'ada')
  })
  afterAll(async () => {
    await s.close()
    await counted.stop()
  })

  const bought = () => s.buy(MONTHLY)
  const ways: [name: string, count: number, call: () => Promise<unknown>][] = [
    ['the configuration of a known device', 1, () => s.get('/v1/config?subscriberId=svc_ada')],
    ['the entitlements of a known device', 2, () => s.get('/v1/me/entitlements', 'svc_ada')],
    ['a new receipt of a new device', 7, () => s.receipt('svc_new', bought())],
    ['a new receipt of a known device', 6, () => s.receipt('svc_ada', bought())],
    ['a receipt that grants currency', 10, () => s.receipt('svc_ada', s.buy(COINS))],
    ['a ledger post', 7, () => give(s, 'ada', 5, 'k1')],
    ['a repeated ledger post', 4, () => give(s, 'ada', 5, 'k1')],
    ['the balances', 2, () => s.get('/v1/virtual-currencies/me', 'svc_ada')],
  ]
  for (const [name, count, call] of ways)
    test(`${name}: ${count}`, async () => {
      expect(await counted.during(call)).toBe(count)
    })
})
