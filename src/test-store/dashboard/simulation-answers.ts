import type { Static } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { resultFor } from '../../intake/receipts/receipt'
import { findByDevice } from '../../people/subscribers/service'
import { conflict } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import type { Heard } from '../driver/deliver'
import { type Done, type Result, simulateTime } from '../driver/simulate'
import { readStatus } from '../driver/status'
import { dueOf, idsOf, type Life } from '../stores/lives'
import { APP, NO_TROUBLE } from '../stores/world'
import type { Done as DoneAnswer, Passed, StoresStatus } from './simulation-wire'

/** A purchase after an action, and what its device has; 409 where the store refused. */
export async function done(
  ctx: Context,
  project: ProjectState,
  made: Promise<Result<Done>>,
): Promise<Static<typeof DoneAnswer>> {
  const result = await made
  if (!result.ok) throw conflict(result.why)
  const holder = await findByDevice(ctx, project.id, result.life.deviceKey)
  const held = holder && (await resultFor(ctx, project, holder))
  return {
    store: result.life.store,
    ...idsOf(result.life),
    subscriberId: held?.subscriber.id ?? null,
    access: held?.access ?? {},
    virtualCurrencyBalances: held?.balances ?? {},
    told: result.told,
    ...toHeard(result),
  }
}

export const toHeard = ({ delivered, failed }: Heard) => ({
  delivered: delivered.filter((type) => type !== APP),
  failed,
})

const lifeOf = (life: Life) => ({
  store: life.store,
  device: life.deviceKey,
  product: life.terms.identifier,
  ...idsOf(life),
})

/** Advances the clock of the test stores. */
export async function advance(ctx: Context, project: ProjectState, ms: number): Promise<Static<typeof Passed>> {
  const passed = await simulateTime(ctx, project, ms)
  const { now } = await readStatus(ctx, project)
  const steps = passed.steps.map(({ at, turn: word, life }) => ({ at: toIso(at), turn: word, ...lifeOf(life) }))
  return { now: toIso(now), steps, ...toHeard(passed) }
}

/** The state of the test stores, with the purchases and the messages that wait. */
export async function storesStatus(ctx: Context, project: ProjectState): Promise<Static<typeof StoresStatus>> {
  const { now, state, lives, waiting } = await readStatus(ctx, project)
  const purchases = lives.map((life) => {
    const due = dueOf(life)
    const next = due && { turn: due.turn, at: toIso(due.at + state.leadMs) }
    return { ...lifeOf(life), next }
  })
  return {
    now: toIso(now),
    advancedMs: state.leadMs,
    trouble: { ...NO_TROUBLE, ...state.trouble },
    lost: state.lost,
    purchases,
    waiting: waiting.map(({ deliverAt, ...one }) => ({ ...one, deliverAt: toIso(deliverAt) })),
  }
}
