import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { expose, track } from '../support/experiments'
import { give, identify, refund, renew, rowOf } from '../support/facts'
import { deliver, notificationBody, notify } from '../support/notify'
import { explain, GROWING, multiplyRows, recordStatements, type Step } from '../support/plans'
import { configOf, configure } from '../support/remote'

/**
 * Calls everything that runs for each purchase, each start of an app or each tick, so that all its statements are
 * built.
 */
async function live(s: Stage): Promise<void> {
  const month = s.buy(MONTHLY, { appAccountToken: crypto.randomUUID() })
  await s.receipt('svc_ada', month)
  await s.receipt('svc_ada', month)
  await s.receipt('svc_ada', s.buy(COINS), { headers: { 'idempotency-key': 'once' } })
  const shared = s.buy(YEARLY, { ownershipType: 'FAMILY_SHARED' })
  for (const device of ['svc_ada', 'svc_bo']) await s.receipt(device, shared)
  s.ctx.clock.advance(DAY)
  const renewed = renew(s, month, MONTHLY)
  await s.receipt('svc_ada', renewed)
  const notification = notificationBody(s, ['DID_RENEW', null], renew(s, renewed, MONTHLY))
  for (let turn = 0; turn < 2; turn++) await deliver(s, notification)
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY, { appAccountToken: crypto.randomUUID() }))
  await notify(s, ['CONSUMPTION_REQUEST', null], renewed)
  await notify(s, ['REFUND', null], refund(s, renewed))
  await notify(s, ['TEST', null], null, { bundleId: 'com.example.other' })
  await read(s, 'svc_ada')
  await give(s, 'svc_ada', 5, 'given')
  await s.post('/v1/subscribers/svc_ada/restore', { receipts: [{ receipt: s.sign(month), productId: 'pro_monthly' }] })
  for (const device of ['svc_ada', 'svc_bo']) await identify(s, device, 'ada@example.com')
  s.ctx.clock.advance(400 * DAY)
  await sweepPurchases(s.ctx)
}

async function read(s: Stage, device: string): Promise<void> {
  for (const path of ['/v1/me', '/v1/me/entitlements', '/v1/me/access', '/v1/virtual-currencies/me'])
    await s.get(path, device)
  await configure(s, { flags: [SPENDERS], experiments: [{}] })
  await configOf(s, device)
  await s.ctx.state.assignments.flush()
  await experiment(s)
  const { id } = await rowOf(s, device)
  const options = { key: s.project.secretKey }
  const first = await s.get('/v1/events?limit=1', undefined, options)
  for (const query of [`after=${first.body.data.nextCursor}`, `subscriberId=${id}`, 'types=purchase.*,coin'])
    await s.get(`/v1/events?${query}`, undefined, options)
  await s.get(`/v1/subscribers/${device}/access`, undefined, options)
  await s.get(`/v1/subscribers/${device}/access/pro/explain`, undefined, options)
}

/** All reports of a device about an experiment, each twice. */
async function experiment(s: Stage): Promise<void> {
  await configure(s, { experiments: [{ key: 'checkout_test', metrics: ['purchase', 'signup'] }] })
  const { body } = await configOf(s, 'svc_bo')
  const { variantId } = body.data.experiments.checkout_test
  for (let turn = 0; turn < 2; turn++) await expose(s, 'svc_bo', variantId)
  for (let turn = 0; turn < 2; turn++) await track(s, 'svc_bo', [{ type: 'signup' }])
}

const SPENDERS = { rules: [{ conditions: { 'svc.lifetimeSpendUsd': { $gt: 5 }, 'svc.hasActive': true }, value: true }] }

let s: Stage
let plans: Map<string, Step[]>
beforeAll(async () => {
  const record = recordStatements()
  s = await stage()
  await live(s)
  record.stop()
  await multiplyRows(s.ctx, 300)
  plans = await explain(s.ctx, record.statements)
}, 600_000)
afterAll(() => s.close())

/** The last position is one index entry, read from the end of the index. */
const isLastOf = (statement: string): boolean => /^select max\("position"\) from "events"/.test(statement)

/** A statement that is limited only by the project may read the whole table, because the deployment has one project. */
const isBounded = ({ isScan, by }: Step): boolean => !isScan && by.some((column) => column !== 'project_id')

test('no statement on these paths goes through a table that grows with the subscribers', () => {
  const unbounded = [...plans].flatMap(([statement, steps]) =>
    steps
      .filter((step) => step.table in GROWING && !isBounded(step) && !isLastOf(statement))
      .map((step) => ({ ...step, statement })),
  )
  expect(unbounded).toEqual([])
})

test('the paths touch every table that grows', () => {
  const touched = new Set([...plans.values()].flat().map(({ table }) => table))
  expect(Object.keys(GROWING).filter((table) => !touched.has(table))).toEqual([])
})
