import { type Io, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { simulateTurn, type TurnTerms } from '../driver/simulate'
import { newestStore } from '../driver/status'
import type { SimulatedStore, Turn } from '../stores/life'
import { toDays, toMicros, toPrice, toSeats, toStore, type Values } from './options'
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
    case 'downgrade':
    case 'add-item':
    case 'schedule': {
      if (values.to === undefined) throw new UsageError(`simulate ${word} needs --to`)
      const store = await storeOf(ctx, project, deviceKey, values)
      return {
        to: soldBy(project, store, values.to, toPrice(values)),
        ...(await itemIn(ctx, project, deviceKey, values)),
        isProrated: values.prorated ?? false,
      }
    }
    case 'remove-item':
      if (values.item === undefined) throw new UsageError('simulate remove-item needs --item')
      return itemIn(ctx, project, deviceKey, values)
    case 'seats':
      return { quantity: toSeats(argument), ...(await itemIn(ctx, project, deviceKey, values)) }
    case 'credit':
      if (argument === undefined) throw new UsageError('simulate credit takes an amount such as 20.00')
      return { amountMicros: toMicros('simulate credit', argument) }
    case 'extend':
      return { days: toDays(argument) }
    case 'price-increase':
      return { priceMicros: values.price === undefined ? null : toMicros('--price', values.price) }
    case 'refund':
      return {
        amountMicros: values.partial === undefined ? null : toMicros('--partial', values.partial),
        isProrated: values.prorated ?? false,
        ...(await itemIn(ctx, project, deviceKey, values)),
      }
    case 'billing-issue':
      return { hasNoGrace: values['no-grace'] ?? false }
    default:
      return {}
  }
}

const storeOf = async (
  ctx: Context,
  project: ProjectState,
  deviceKey: string,
  values: Values,
): Promise<SimulatedStore> => toStore(values.store) ?? (await newestStore(ctx, project, deviceKey)) ?? 'ios'

/** The product of `--item` by its id at the store. */
async function itemIn(ctx: Context, project: ProjectState, deviceKey: string, values: Values): Promise<TurnTerms> {
  if (values.item === undefined) return { item: null }
  const store = await storeOf(ctx, project, deviceKey, values)
  return { item: soldBy(project, store, values.item, toPrice(values)).productId }
}
