import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { deliveryRows, deviceOwner } from '../support/deliveries'
import { answer, type Probe, probeKind, writeEvents } from '../support/probe-kind'

const BROKEN = 'whe_00000000000000000000000001'
const GOOD = 'whe_00000000000000000000000002'

let s: Stage
let probe: Probe
beforeEach(async () => {
  probe = probeKind()
  s = await stage({ slices: probe.slices })
})
afterEach(() => s.close())

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate)
}

test('an outcome that cannot be saved at the stop loses no other', async () => {
  const id = await deviceOwner(s, 'ada')
  for (const targetId of [BROKEN, GOOD]) await probe.open(s.ctx, targetId, s.project.id)
  const { promise: answered, resolve: answerAll } = Promise.withResolvers<void>()
  probe.respond = async () => {
    await answered
    return answer(200)
  }
  probe.onOutcome = ({ targetId }) => {
    if (targetId === BROKEN) throw new Error('this outcome cannot be saved')
  }
  const { dispatcher } = s.ctx.state
  await dispatcher.tick()
  await writeEvents(s.ctx, { id, projectId: s.project.id }, 1)
  await until(() => probe.sent.length === 2)
  const stopping = dispatcher.stop()
  answerAll()
  await stopping
  const statuses = new Map((await deliveryRows(s)).map(({ targetId, status }) => [targetId, status]))
  expect(statuses.get(GOOD)).toBe('SUCCEEDED')
  expect(statuses.get(BROKEN)).toBe('DELIVERING') // Its lease runs out, and it is sent again.
})
