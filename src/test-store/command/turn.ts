import { UsageError } from '../../base/cli/command'
import type { ProjectApi } from '../../projects/project/project-api'
import type { Turn } from '../stores/life'
import { toDays, toMicros, toPrice, toSeats, toStore, type Values } from './options'
import { type Output, order, report } from './report'

export interface Turning {
  turn: Turn
  /** The word after the name of the turn. */
  argument: string | undefined
  deviceKey: string
}

export async function turn(
  project: ProjectApi,
  io: Output,
  { turn: action, argument, deviceKey: device }: Turning,
  values: Values,
): Promise<number> {
  const { product, item } = values
  const concerning = { action, device, product, item, store: toStore(values.store) ?? undefined }
  const body = { ...concerning, ...membersOf(action, argument, values) }
  return report(io, values.json, await order(project, body))
}

function membersOf(word: Turn, argument: string | undefined, values: Values): object {
  switch (word) {
    case 'upgrade':
    case 'downgrade':
    case 'add-item':
    case 'schedule':
      if (values.to === undefined) throw new UsageError(`simulate ${word} needs --to`)
      return { to: values.to, price: toPrice(values), prorated: values.prorated }
    case 'remove-item':
      if (values.item === undefined) throw new UsageError('simulate remove-item needs --item')
      return {}
    case 'seats':
      return { quantity: toSeats(argument) }
    case 'credit':
      if (argument === undefined) throw new UsageError('simulate credit takes an amount such as 20.00')
      return { amountMicros: toMicros('simulate credit', argument) }
    case 'extend':
      return { days: toDays(argument) }
    case 'price-increase':
      return values.price === undefined ? {} : { price: toPrice(values) }
    case 'refund':
      return { amountMicros: partOf(values), prorated: values.prorated }
    case 'billing-issue':
      return { noGrace: values['no-grace'] }
    default:
      return {}
  }
}

const partOf = ({ partial }: Values): number | undefined =>
  partial === undefined ? undefined : toMicros('--partial', partial)
