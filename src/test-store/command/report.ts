import { CommandFailure, type Io } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { type ReceiptResult, resultFor } from '../../intake/receipts/receipt'
import { findByDevice } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Failure, Heard } from '../driver/deliver'
import type { Done } from '../driver/simulate'
import { currentOrder } from '../stores/android'
import type { Life } from '../stores/lives'
import { APP } from '../stores/world'

/** Prints the result of a turn: the messages of the store, and the entitlements of the device now. */
export async function report(
  ctx: Context,
  project: ProjectState,
  io: Io,
  json: boolean | undefined,
  done: Done,
): Promise<number> {
  const refusal = done.failed.find(({ type, isFinal }) => type === APP && isFinal)
  if (refusal) throw new CommandFailure(refusal.code, `The purchase was refused: ${refusal.error}`)
  const holder = await findByDevice(ctx, project.id, done.life.deviceKey)
  const result = holder && (await resultFor(ctx, project, holder))
  io.out(json ? JSON.stringify(toWire(done, result)) : toLines(done, result).join('\n'))
  return 0
}

const toWire = ({ life, told, delivered, failed }: Done, result: ReceiptResult | null) => ({
  store: life.store,
  ...idsOf(life),
  subscriberId: result?.subscriber.id ?? null,
  access: result?.access ?? {},
  virtualCurrencyBalances: result?.balances ?? {},
  told,
  ...toHeard({ delivered, failed }),
})

export const toHeard = ({ delivered, failed }: Heard) => ({
  delivered: delivered.filter((type) => type !== APP),
  failed: failed.map(({ type, error }) => ({ type, error })),
})

/** The store's ids of the purchase and of its current transaction. */
export function idsOf(life: Life): { transactionId: string; originalTransactionId: string } {
  if (life.store === 'ios')
    return {
      transactionId: life.transaction.transactionId,
      originalTransactionId: life.transaction.originalTransactionId,
    }
  if (life.store === 'payment') return { transactionId: life.id, originalTransactionId: life.id }
  const { id, subscription, product } = life
  const orderId = subscription ? currentOrder(subscription) : (product?.resource.orderId ?? id)
  return { transactionId: orderId, originalTransactionId: id }
}

function toLines({ life, told, failed }: Done, result: ReceiptResult | null): string[] {
  const { transactionId } = idsOf(life)
  return [
    `transaction  ${transactionId}`,
    `subscriber   ${result?.subscriber.id ?? 'none yet'}`,
    `store told   ${told.join(', ') || 'nothing'}`,
    ...failed.map(failureLine),
    `access       ${describeAccess(result?.access ?? {})}`,
  ]
}

export const failureLine = ({ type, error }: Failure): string => `not heard    ${type}: ${error}`

const describeAccess = (access: ReceiptResult['access']): string =>
  Object.entries(access)
    .map(([name, { expiresDate }]) => `${name} ${expiresDate === null ? 'for ever' : `until ${expiresDate}`}`)
    .join(', ') || 'none'

export const describeLife = ({ store, deviceKey, terms }: Life): string[] => [deviceKey, store, terms.identifier]
