import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { TestOffer, TestSale, TestSales } from '../../stores/in-process'
import { refused } from '../stores/life'
import { turnLife } from '../stores/lives'
import type { PaymentLife } from '../stores/payment-life'
import { abandonSale, attemptSale, describeSale, type Opened, openSale } from '../stores/payment-sale'
import { changeWorld, readLife, readStoreState, saveLife, tell, type World } from '../stores/world'
import { deliverDue } from './deliver'
import { holdOf } from './session'
import { type Done, during, type Result } from './simulate'

/** The sales of funnels at the payment test store. Its messages are delivered by the running server, as a provider's. */
export const testSales = (ctx: Context, projectId: string): TestSales => ({
  offers: async () => new Map(Object.entries((await readStoreState(ctx, projectId)).offers)),
  async percentOff(code) {
    const { codes } = await readStoreState(ctx, projectId)
    const name = code.trim().toUpperCase()
    return Object.hasOwn(codes, name) ? (codes[name] ?? null) : null
  },
  open: (sale, key) => open(ctx, projectId, sale, key),
  async attempt(id, outcome) {
    const result = await change(ctx, projectId, id, (life, now) => attemptSale(life, outcome, now))
    return result.ok ? { ok: true } : result
  },
  async abandon(id) {
    await change(ctx, projectId, id, abandonSale)
  },
  setDomain: (hostname, isRegistered) =>
    changeWorld(ctx, projectId, async ({ state }) => {
      const others = state.domains.filter((one) => one !== hostname)
      state.domains = isRegistered ? [...others, hostname] : others
    }),
  hasDomain: async (hostname) => (await readStoreState(ctx, projectId)).domains.includes(hostname),
})

const open: (ctx: Context, projectId: string, sale: TestSale, key: string) => ReturnType<TestSales['open']> = (
  ctx,
  projectId,
  sale,
  key,
) =>
  changeWorld(ctx, projectId, async (world) => {
    const opened = openSale(sale, { seed: key, now: world.tx.clock.now() })
    if (!opened.ok) return opened
    const held = await readLife(world.tx, projectId, opened.life.id)
    const life = held?.store === 'payment' ? held : opened.life
    if (!held) await save(world, opened)
    return { ok: true, sale: describeSale(life) }
  })

const change = (
  ctx: Context,
  projectId: string,
  id: string,
  work: (life: PaymentLife, now: number) => Opened,
): Promise<Opened> =>
  changeWorld(ctx, projectId, async (world): Promise<Opened> => {
    const life = await readLife(world.tx, projectId, id)
    if (life?.store !== 'payment') return { ok: false, why: 'The test store has no such sale' }
    const changed = work(life, world.tx.clock.now())
    if (changed.ok) await save(world, changed)
    return changed
  })

async function save(world: World, { life, told }: Extract<Opened, { ok: true }>): Promise<void> {
  await saveLife(world, life)
  // The page asks about its payment at once, and the messages of the provider come a little later.
  await tell(world, life, told, life.lastAt)
}

/** Sets what a product costs at the test store alone. */
export const setOffer = (ctx: Context, projectId: string, product: string, offer: TestOffer): Promise<void> =>
  changeWorld(ctx, projectId, async ({ state }) => {
    state.offers = { ...state.offers, [product]: offer }
  })

/** Sets what a promotion code takes off at the test store; null ends the code. */
export const setCode = (ctx: Context, projectId: string, code: string, percentOff: number | null): Promise<void> =>
  changeWorld(ctx, projectId, async ({ state }) => {
    const { [code]: _ended, ...others } = state.codes
    state.codes = percentOff === null ? others : { ...others, [code]: percentOff }
  })

/** A payment that takes days comes in, or fails; and its messages are delivered. */
export const settleSale = (
  ctx: Context,
  project: ProjectState,
  id: string,
  hasFailed: boolean,
): Promise<Result<Done>> =>
  during(ctx, project, async (session) => {
    const turned = await changeWorld(ctx, project.id, async (world) => {
      const life = await readLife(world.tx, project.id, id)
      if (!life) return refused('The test store has no such sale')
      const now = world.tx.clock.now()
      const result = turnLife(life, { turn: 'settle', now, hasFailed, nextSeed: () => world.tx.ids.uuid() })
      const [changed] = result.ok ? result.lives : []
      if (!result.ok || !changed) return result.ok ? refused('Nothing changed') : result
      await saveLife(world, changed)
      await tell(world, changed, result.told, changed.lastAt, holdOf(session))
      return { ok: true as const, life: changed, told: result.told.map(({ type }) => type) }
    })
    return turned.ok ? { ...turned, ...(await deliverDue(ctx, project, session)) } : turned
  })
