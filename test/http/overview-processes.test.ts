import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Context } from '../../src/base/context'
import { toIso } from '../../src/base/lib/time'
import { createContext } from '../../src/create-context'
import { type Stage, stage, YEARLY } from '../support/cast'
import type { TestContext } from '../support/context'
import { buyLive } from '../support/live-purchases'
import { dataOf } from '../support/operator'
import { isPostgresRun } from '../support/postgres'
import { type StaffCalls, staff } from '../support/staff'
import { askStream, type Frame, type HeldStream, holdStream } from '../support/stream'

// Two processes over one database: what one writes, the overview of the other has.

let s: Stage
let beside: Context
let member: StaffCalls
let held: HeldStream | null = null
beforeEach(async () => {
  s = await stage()
  beside = await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log })
  member = staff(s).as('CUSTOMER_SUPPORT')
})
afterEach(async () => {
  s.ctx.state.eventStreams.drain()
  await held?.leave().catch(() => {})
  held = null
  await beside.close()
  await s.close()
})

const elsewhere = (): Stage => ({ ...s, ctx: beside as TestContext })
const turn = () => new Promise((resolve) => setImmediate(resolve))
const overview = () => dataOf(member.get('/overview'))

async function until(stream: HeldStream, fits: (frame: Frame) => boolean): Promise<Frame> {
  for (;;) {
    const frame = await stream.next()
    if (!frame) throw new Error('the stream ended')
    if (fits(frame)) return frame
    // The server looks again every second.
    s.ctx.state.liveOverviews.tick()
  }
}

const isFigure = (name: string) => (frame: Frame) => frame.event === 'figure' && JSON.parse(frame.data).name === name

describe('what another process writes', () => {
  test('is in the next answer', async () => {
    await buyLive(s, 'svc_ada')
    expect((await overview()).activeSubscriptions.value).toBe(1)
    await buyLive(elsewhere(), 'svc_bo', { product: YEARLY })
    await turn()
    const { activeSubscriptions, revenue30d, newSubscribers30d } = await overview()
    expect([activeSubscriptions.value, revenue30d.value, newSubscribers30d.value]).toEqual([2, 89_980_000, 2])
  })

  test('is told on the stream: figures, events and the first call', async () => {
    const path = `/dashboard/projects/${s.project.id}/overview/live`
    held = holdStream(await askStream(s, path, { key: null, headers: { cookie: 'svc_session=CUSTOMER_SUPPORT' } }))
    await until(held, isFigure('newSubscribers30d'))
    await beside.state.keys.authenticate(`Bearer ${s.project.publicKey}`)
    await beside.state.firstCalls.save()
    await turn()
    s.ctx.state.liveOverviews.tick()
    const first = await until(held, ({ event }) => event === 'first')
    expect(JSON.parse(first.data)).toEqual({ call: toIso(s.ctx.clock.now()), purchase: null })
    await buyLive(elsewhere(), 'svc_ada')
    await turn()
    s.ctx.state.liveOverviews.tick()
    expect((await until(held, ({ event }) => event === 'event')).id).toBeString()
    const figure = await until(held, isFigure('revenue30d'))
    expect(JSON.parse(figure.data).value).toBe(9_990_000)
  })

  test('as its first call does not move an earlier one', async () => {
    const at = s.ctx.clock.now()
    await s.get('/v1/me', 'svc_ada')
    await s.ctx.state.firstCalls.save()
    s.ctx.clock.advance(60_000)
    await beside.state.keys.authenticate(`Bearer ${s.project.publicKey}`)
    await beside.state.firstCalls.save()
    await turn()
    expect((await overview()).first.call).toBe(toIso(at))
  })

  test.if(isPostgresRun())('in a transaction that began first and ends last is not overlooked', async () => {
    await buyLive(s, 'svc_ada')
    const { figureEntries: f } = s.ctx.tables
    const [entry] = (await s.ctx.db.select().from(f)).filter(({ kind }) => kind === 'LINE')
    if (!entry) throw new Error('no entry')
    const { position: _, ...row } = entry
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const slow = beside.write(async (tx) => {
      await tx.db.insert(f).values({ ...row, purchaseId: 'pur_slow' })
      begin()
      await hold
    })
    await begun
    await s.ctx.write((tx) => tx.db.insert(f).values({ ...row, purchaseId: 'pur_quick' }))
    expect((await overview()).revenue30d.value).toBe(2 * 9_990_000)
    release()
    await slow
    expect((await overview()).revenue30d.value).toBe(3 * 9_990_000)
  })
})
