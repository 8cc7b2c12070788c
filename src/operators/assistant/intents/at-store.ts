import type { Context } from '../../../base/context'
import { isObject } from '../../../base/lib/json-schema'
import { listRevisions } from '../../../projects/audit/revisions'
import type { IntentBase, IntentPreview } from '../tables'
import { accessBetween } from './effects'
import { type Answered, callRoute, type Enacted, type Order, refusedBy } from './enact'
import { updateIntent } from './queries'

/** What the `dryRun` of a refund answers, as far as it is shown. */
interface Trial {
  result: {
    purchase: { subscriberId?: string }
    transaction: { price: { amountMicros: number; currency: string } | null }
    purchaseIds: string[]
  }
  access: { before: object; after: object }
  eventTypes: string[]
}

/** What a change at a store would do, from the `dryRun` of its route: a store cannot be asked inside a transaction. */
export async function tryAtStore(ctx: Context, order: Order): Promise<Enacted> {
  const answered = await callRoute(ctx, order, true)
  if (!answered.isOk) return refusedBy(answered)
  const trial = answered.data
  if (!isTrial(trial)) throw new Error('the dry run of a refund has another form')
  const ids = trial.result.purchaseIds
  const revisions = await listRevisions(ctx, order.projectId, ids)
  const base: IntentBase[] = ids.map((id) => ({ type: 'purchase', id, revision: revisions.get(id) ?? 1 }))
  const owner = await ctx.hooks.purchaseOwner?.[0]?.(ctx, order.projectId, ids[0] ?? '')
  if (owner) base.push({ type: 'subscriber.events', id: owner.id, revision: owner.seq })
  return { isRefused: false, answer: trial, preview: previewOfTrial(trial), base }
}

const isTrial = (data: unknown): data is Trial => isObject(data) && data.dryRun === true

function previewOfTrial({ result, access, eventTypes }: Trial): IntentPreview {
  const money = result.transaction.price
  return {
    changes: result.purchaseIds.map((id) => ({ path: `purchase/${id}/refunded`, before: false, after: true })),
    effects: {
      people: 1,
      ...accessBetween([{ before: access.before, after: access.after }]),
      money: money && { amountMicros: money.amountMicros, currency: money.currency },
      events: eventTypes,
    },
    warnings: ['The store is asked when this is approved, and can refuse'],
  }
}

/**
 * Asks the store and records what it did. `settle` runs in the transaction of the record, so that the proposal is settled
 * with it or not at all.
 */
export async function enactAtStore(ctx: Context, order: Order, settle: Settle): Promise<Answered> {
  const { intentId, threadId } = order
  let isSettled = false
  const write: Context['write'] = (work) =>
    ctx.write(async (tx) => {
      if (!isSettled) await settle(tx)
      const result = await work({ ...tx, via: { kind: 'assistant', intentId, threadId } })
      tx.afterCommit(() => {
        isSettled = true
      })
      return result
    })
  const answered = await callRoute(Object.create(ctx, { write: { value: write } }) as Context, order)
  if (answered.isOk) await ctx.write((tx) => updateIntent(tx, intentId, { result: answered.data }))
  return answered
}

export type Settle = (tx: Parameters<Parameters<Context['write']>[0]>[0]) => Promise<void>
