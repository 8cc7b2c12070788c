import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { refreshAndroidToken } from '../../intake/android/refresh'
import { causeOf } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import { refused, type SimulatedStore, type Turn, type TurnOrder } from '../stores/life'
import { type Life, turnLife } from '../stores/lives'
import { changeWorld, postFromApp, readLives, saveLife, type Trouble, tell, type World } from '../stores/world'
import { type Buying, buyLife, type NewLife, postOf } from './buy'
import { type DeliverOptions, deliverDue, type Failure, type Heard, release } from './deliver'
import { checkoutMetadata } from './payment'
import { holdOf, newSession, type Session } from './session'
import { type Elapse, type Passed, passTime } from './time'

/** The result of a command: the purchase after it, the messages of the store, and the result of their delivery. */
export interface Done extends Heard {
  life: Life
  told: string[]
}

/** Why the command was refused, in a sentence. */
export type Refused = { ok: false; why: string }
export type Result<Value> = ({ ok: true } & Value) | Refused

/** Runs in the transaction that sells, before anything else is written. When it rejects, nothing is sold. */
export type OnSale = (tx: Tx) => Promise<void>

/** Makes a purchase at a test store. The app sends its receipt, and the store sends notifications. */
export const simulatePurchase = (ctx: Context, project: ProjectState, buying: Buying): Promise<Result<Done>> =>
  during(ctx, project, async (session) => {
    const bought = await buy(ctx, project, buying, session)
    return bought.ok ? { ok: true, ...toDone(bought), ...(await deliverNow(ctx, project, session)) } : bought
  })

/**
 * Like `simulatePurchase`, but delivers only the messages of this purchase, and takes no turn that came due: a request
 * must not do what all other purchases of the project wait for.
 */
export const simulateSale = (
  ctx: Context,
  project: ProjectState,
  buying: Buying,
  onSale: OnSale,
): Promise<Result<Done>> =>
  withSession(ctx, project, async (session) => {
    const bought = await buy(ctx, project, buying, session, onSale)
    if (!bought.ok) return bought
    return { ok: true, ...toDone(bought), ...(await deliverNow(ctx, project, { ...session, isOwnOnly: true })) }
  })

/** Makes a purchase that only the app knows: no receipt and no notification is sent. */
export const simulateUnposted = (ctx: Context, project: ProjectState, buying: Buying): Promise<Result<Done>> =>
  during(ctx, project, async () => {
    const bought = await buy(ctx, project, buying, null)
    return bought.ok ? { ok: true, ...toDone(bought), delivered: [], failed: [] } : bought
  })

const toDone = ({ life, told }: NewLife) => ({ life, told: told.map(({ type }) => type) })

async function buy(
  ctx: Context,
  project: ProjectState,
  buying: Buying,
  session: Session | null,
  onSale?: OnSale,
): Promise<Result<NewLife>> {
  const { store, deviceKey, terms } = buying
  const metadata = store === 'payment' ? await checkoutMetadata(ctx, project, deviceKey, terms) : {}
  return changeWorld(ctx, project.id, async (world) => {
    const bought = buyLife(project, buying, {
      now: world.tx.clock.now(),
      seed: world.tx.ids.uuid(),
      held: await readLives(world.tx, project.id, deviceKey),
      metadata,
    })
    if (!bought.ok) return bought
    const { life, told } = bought
    await onSale?.(world.tx)
    await saveLife(world, life)
    if (!session) return bought
    const post = postOf(life)
    if (post) await postFromApp(world, life, post, holdOf(session))
    await tell(world, life, told, life.lastAt, holdOf(session))
    return bought
  })
}

/** Selects the purchase for a turn: the newest one of the device that can take it. A null member does not restrict. */
export interface Concerning {
  deviceKey: string
  store: SimulatedStore | null
  /** The product's identifier in the project, or its id at the store. */
  product: string | null
}

export type TurnTerms = Omit<TurnOrder, 'turn' | 'now' | 'nextSeed'>

/** Takes a turn. Everything that is due before it happens first. */
export const simulateTurn = (
  ctx: Context,
  project: ProjectState,
  concerning: Concerning,
  turn: Turn,
  terms: TurnTerms = {},
): Promise<Result<Done>> =>
  during(ctx, project, async (session) => {
    const turned = await changeWorld(ctx, project.id, (world) => take(world, concerning, { ...terms, turn }, session))
    if (!turned.ok) return turned
    const heard = await deliverNow(ctx, project, session)
    const unanswered = turned.told.length === 0 ? await askUntold(ctx, project, turned.life) : []
    return { ...turned, ...heard, failed: [...heard.failed, ...unanswered] }
  })

type RequestedTurn = Omit<TurnOrder, 'now' | 'nextSeed'>

/** Takes the turn with the newest purchase that can take it. When none can, the newest one gives the reason. */
async function take(
  world: World,
  concerning: Concerning,
  asked: RequestedTurn,
  session: Session,
): Promise<Result<Pick<Done, 'life' | 'told'>>> {
  const { tx, projectId } = world
  const order = { ...asked, now: tx.clock.now(), nextSeed: () => tx.ids.uuid() }
  const lives = (await readLives(tx, projectId, concerning.deviceKey)).filter((life) => isMeant(life, concerning))
  const tried = lives.toSorted((a, b) => b.boughtAt - a.boughtAt).map((life) => turnLife(life, order))
  const turned = tried.find(({ ok }) => ok) ?? tried[0] ?? nothingOf(concerning)
  const [changed, begun = changed] = turned.ok ? turned.lives : []
  if (!turned.ok || !changed || !begun) return turned.ok ? nothingOf(concerning) : turned
  for (const life of turned.lives) await saveLife(world, life)
  const post = asked.turn === 'restore' ? postOf(begun) : null
  if (post) await postFromApp(world, begun, post, holdOf(session))
  await tell(world, changed, turned.told, changed.lastAt, holdOf(session))
  return { ok: true, life: begun, told: turned.told.map(({ type }) => type) }
}

const nothingOf = ({ deviceKey }: Concerning): Refused =>
  refused(`The test store has sold ${deviceKey} nothing of the kind; begin with: svc simulate purchase`)

const isMeant = ({ store, terms }: Life, concerning: Concerning): boolean =>
  (concerning.store === null || concerning.store === store) &&
  (concerning.product === null || concerning.product === terms.identifier || concerning.product === terms.productId)

/** Advances the clock of the test stores of a project. */
export const simulateTime = (ctx: Context, project: ProjectState, ms: number, elapse?: Elapse): Promise<Passed> =>
  withSession(ctx, project, async (session) => {
    const passed = await passTime(ctx, project, session, ms, elapse)
    const { delivered, failed } = await deliverNow(ctx, project, session)
    return { ...passed, delivered: [...passed.delivered, ...delivered], failed: [...passed.failed, ...failed] }
  })

/** Delivers all waiting messages, delayed ones too. */
export const deliverAll = (ctx: Context, project: ProjectState): Promise<Heard> =>
  during(ctx, project, (session) => deliverDue(ctx, project, { ...session, isForced: true }))

/** Changes the faults that are simulated from now on, and returns all of them. Those that are not named stay. */
export const changeTrouble = (ctx: Context, project: ProjectState, change: Partial<Trouble>): Promise<Trouble> =>
  changeWorld(ctx, project.id, async ({ state }) => {
    state.trouble = { ...state.trouble, ...change }
    return state.trouble
  })

/** Runs a command after all that came due since the last one, for our clock runs for the stores too. */
export const during = <Value>(
  ctx: Context,
  project: ProjectState,
  work: (session: Session) => Promise<Value>,
): Promise<Value> =>
  withSession(ctx, project, async (session) => {
    await passTime(ctx, project, session, 0)
    return work(session)
  })

async function withSession<Value>(
  ctx: Context,
  project: ProjectState,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  const session = await newSession(ctx, project.id)
  try {
    return await work(session)
  } finally {
    await release(ctx, session.takenBy)
  }
}

const deliverNow = (ctx: Context, project: ProjectState, session: DeliverOptions): Promise<Heard> =>
  deliverDue(ctx, project, session)

/**
 * Google sends no message of a part of an order that is given back; svc reads it when it asks about the purchase within a
 * day. At the test store it asks at once.
 */
async function askUntold(ctx: Context, project: ProjectState, { store, id }: Life): Promise<Failure[]> {
  if (store !== 'android') return []
  try {
    await refreshAndroidToken(ctx, project, id, causeOf('RECONCILE', null, 'ANDROID_STORE'))
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ type: 'answer of Google Play', code: error.refusal, error: error.message, isFinal: false }]
  }
}
