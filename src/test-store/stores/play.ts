import type { InProcessStore } from '../../stores/in-process'
import { isSimulatedToken } from '../../stores/test-keys/ids'
import type { SimulatorContext } from '../../stores/test-keys/service'
import { answerPlay, failure, type PlayCall } from './android-api'
import { type AndroidLife, memoryOf, openStore, remember, toTold } from './android-life'
import { changeWorld, readLife, readLives, readStoreState, saveLife, tell } from './world'

/**
 * The Android test store of a project. When it is switched off, it accepts calls about its ids and answers that they
 * are unknown.
 */
export function playInProcess(ctx: SimulatorContext, projectId: string, isOn: boolean): InProcessStore {
  return {
    knows: isSimulatedToken,
    async fetch(request) {
      if (!isOn) return failure(404, 'purchaseTokenNotFound')
      if ((await readStoreState(ctx, projectId)).trouble.isStoreDown) return failure(503, 'backendError')
      const { pathname, searchParams } = new URL(request.url)
      const path = decodeURIComponent(pathname)
      const [, packageName = ''] = /\/applications\/([^/]+)\//.exec(path) ?? []
      const body: unknown = await request.json().catch(() => null)
      const call = { method: request.method, path, query: searchParams, packageName, body }
      return request.method === 'GET' ? look(ctx, projectId, call) : act(ctx, projectId, call)
    },
  }
}

async function look(ctx: SimulatorContext, projectId: string, call: PlayCall): Promise<Response> {
  const [, token = null] = /\/tokens\/(.+?)(?::\w+)?$/.exec(call.path) ?? []
  const held = token === null ? await readLives(ctx, projectId) : [await readLife(ctx, projectId, token)]
  const { store } = openStore(ctx.clock.now(), '')
  for (const life of held) {
    if (life?.store === 'android') remember(store, life)
  }
  return answerPlay(store, call)
}

/** A command of the API changes the purchase, and the store sends the notification about the change. */
function act(ctx: SimulatorContext, projectId: string, call: PlayCall): Promise<Response> {
  const seed = ctx.ids.uuid()
  return changeWorld(ctx, projectId, async (world) => {
    const life = await concerned(await readLives(world.tx, projectId), call.path)
    if (!life) return failure(404, 'purchaseTokenNotFound')
    const lastAt = Math.max(world.tx.clock.now(), life.lastAt + 1)
    const { store, told } = openStore(lastAt, seed, life)
    const answer = answerPlay(store, call)
    const changed = { ...life, ...memoryOf(store, life.id), lastAt }
    await saveLife(world, changed)
    await tell(world, changed, toTold(changed, told, seed), lastAt)
    return answer
  })
}

/** The purchase whose token or order is part of the path. */
function concerned(lives: Awaited<ReturnType<typeof readLives>>, path: string): AndroidLife | null {
  for (const life of lives) {
    if (life.store !== 'android') continue
    const [, token] = /\/tokens\/(.+?)(?::\w+)?$/.exec(path) ?? []
    const [, order = ''] = /\/orders\/(.+):refund$/.exec(path) ?? []
    if (token === undefined ? openStore(0, '', life).store.tokenOfOrder(order) === life.id : token === life.id)
      return life
  }
  return null
}
