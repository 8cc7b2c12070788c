import { type Io, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { simulateTurn, type TurnTerms } from '../driver/simulate'
import { newestStore } from '../driver/status'
import type { Turn } from '../stores/life'
import { toDays, toMicros, toPrice, toStore, type Values } from './options'
import { orFail, soldBy } from './purchase'
import { report } from './report'

export interface Turning {
  turn: Turn
  /** The word after the name of the turn. */
  argument: string | undefined
  deviceKey: string
}

export async function turn(
  ctx: Context,
  project: ProjectState,
  io: Io,
  { turn: word, argument, deviceKey }: Turning,
  values: Values,
): Promise<number> {
  const concerning = { deviceKey, store: toStore(values.store), product: values.product ?? null }
  const terms = await termsFor(ctx, project, word, argument, deviceKey, values)
  const done = orFail(await simulateTurn(ctx, project, concerning, word, terms))
  return report(ctx, project, io, values.json, done)
}

async function termsFor(
  ctx: Context,
  project: ProjectState,
  word: Turn,
  argument: string | undefined,
  deviceKey: string,
  values: Values,
): Promise<TurnTerms> {
  switch (word) {
    case 'upgrade':
    case 'downgrade': {
      if (values.to === undefined) throw new UsageError(`simulate ${word} needs --to`)
      const store = toStore(values.store) ?? (await newestStore(ctx, project, deviceKey)) ?? 'ios'
      return { to: soldBy(project, store, values.to, toPrice(values)) }
    }
    case 'extend':
      return { days: toDays(argument) }
    case 'price-increase':
      return { priceMicros: values.price === undefined ? null : toMicros('--price', values.price) }
    case 'refund':
      return {
        amountMicros: values.partial === undefined ? null : toMicros('--partial', values.partial),
        item: values.item === undefined ? null : soldBy(project, 'android', values.item, toPrice(values)).productId,
      }
    case 'billing-issue':
      return { hasNoGrace: values['no-grace'] ?? false }
    default:
      return {}
  }
}
