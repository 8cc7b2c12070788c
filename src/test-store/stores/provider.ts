import type { InProcessStore } from '../../stores/in-process'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import type { SimulatorContext } from '../../stores/test-keys/service'
import { answerOnce, type RecordedRequest, recordOf, type Written } from './payment-api'
import { type PaymentLife, toldOf } from './payment-life'
import { PaymentWorld } from './payment-world'
import { changeWorld, readLives, readStoreState, saveLife, tell } from './world'

/**
 * The payment test store of a project. When it is switched off, it accepts calls about its ids and answers that they
 * are unknown.
 */
export function providerInProcess(ctx: SimulatorContext, projectId: string, isOn: boolean): InProcessStore {
  return {
    knows: isSimulatedPayment,
    async fetch(request) {
      const call = await recordOf(request)
      const { isStoreDown } = (await readStoreState(ctx, projectId)).trouble
      const answer = isStoreDown ? failure(503, 'api_error') : isOn ? await answerCall(ctx, projectId, call) : UNKNOWN
      return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } })
    },
  }
}

const failure = (status: number, type: string): Written => ({
  status,
  body: JSON.stringify({ error: { type, code: 'simulated', message: 'Simulated' } }),
})

const UNKNOWN = failure(404, 'invalid_request_error')

async function answerCall(ctx: SimulatorContext, projectId: string, call: RecordedRequest): Promise<Written> {
  if (call.method === 'GET') {
    const life = find(await readLives(ctx, projectId), call)
    return life ? answerOnce(openWorld(life, ctx.clock.now()), call) : UNKNOWN
  }
  return changeWorld(ctx, projectId, async (state) => {
    const life = find(await readLives(state.tx, projectId), call)
    if (!life) return UNKNOWN
    const now = Math.max(state.tx.clock.now(), life.lastAt + 1)
    const world = openWorld(life, now)
    const answer = answerOnce(world, call)
    const changed = { ...life, world: world.write(), lastAt: now }
    await saveLife(state, changed)
    await tell(state, changed, toldOf(world), now)
    return answer
  })
}

const openWorld = ({ world }: PaymentLife, now: number): PaymentWorld => PaymentWorld.read(world, { now: () => now })

/** The purchase whose seed is part of an id in the call's path or fields. */
function find(lives: Awaited<ReturnType<typeof readLives>>, { path, form }: RecordedRequest): PaymentLife | null {
  const named = `${path} ${JSON.stringify(form)}`
  for (const life of lives) if (life.store === 'payment' && named.includes(`_sim${life.world.seed}`)) return life
  return null
}
