import { expect } from 'bun:test'
import { createHash } from 'node:crypto'
import { createApp } from '../../src/app'
import { createContext } from '../../src/create-context'
import { touchConfig } from '../../src/projects/project/service'
import type { Stage } from './cast'
import { configure } from './remote'

const THIRDS = [
  { id: 'a', name: 'Control', weight: 0.34, value: 1 },
  { id: 'b', name: 'B', weight: 0.33, value: 2 },
  { id: 'c', name: 'C', weight: 0.33, value: 3 },
]
const KEY = 'driver_test'
const DEVICES = Array.from({ length: 60 }, (_, n) => `svc_draw_${n}`)

/** The variant computed by the text of the wire specification, independently of our implementation. */
function drawnByHand(device: string, key: string): string {
  const bucket = createHash('sha256').update(`${device}:${key}`).digest().readUInt32BE(0) % 10_000
  if (bucket < 3400) return 'a'
  return bucket < 6700 ? 'b' : 'c'
}

/**
 * Expects that every subscriber gets the variant of the specification on every database, and keeps it after a restart.
 */
export async function expectDrawsToHold(s: Stage): Promise<void> {
  await configure(s, { experiments: [{ key: KEY, variants: THIRDS }] })
  const byHand = DEVICES.map((device) => drawnByHand(device, KEY))
  expect(new Set(byHand)).toEqual(new Set(['a', 'b', 'c']))
  expect(await drawsOf(s, s.app)).toEqual(byHand)
  await s.ctx.state.assignments.flush()
  await turnWeights(s)
  const restarted = await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log })
  expect(await drawsOf(s, createApp(restarted))).toEqual(byHand)
  await restarted.close()
}

async function drawsOf(s: Stage, app: { handle(request: Request): Promise<Response> }): Promise<string[]> {
  const headers = { authorization: `Bearer ${s.project.publicKey}` }
  const draw = async (device: string): Promise<string> => {
    const answer = await app.handle(new Request(`http://localhost/v1/config?subscriberId=${device}`, { headers }))
    return ((await answer.json()) as Configuration).data.experiments[KEY]?.variantId ?? 'none'
  }
  return Promise.all(DEVICES.map(draw))
}

interface Configuration {
  data: { experiments: Record<string, { variantId: string }> }
}

/** Changes the weights, so that a new assignment would give another variant. */
async function turnWeights(s: Stage): Promise<void> {
  const weights = [0.01, 0.01, 0.98]
  const variants = THIRDS.map((variant, index) => ({ ...variant, weight: weights[index] ?? 0 }))
  await s.ctx.write(async (tx) => {
    await tx.db.update(tx.tables.experiments).set({ variants })
    await touchConfig(tx, s.project.id)
  })
}
