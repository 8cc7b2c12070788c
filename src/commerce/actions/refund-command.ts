import { parseArgs } from 'node:util'
import { type Command, CommandFailure, UsageError } from '../../base/cli/command'
import { found } from '../../base/cli/found'
import { remoteHelp, remoteOptions } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { withTarget } from '../../base/cli/target'
import type { ChargeReference } from '../../people/purchases/charges'
import { localRefunds, type Refund, type Refunds, remoteRefunds } from './refund-target'

const options = {
  project: { type: 'string' },
  reason: { type: 'string' },
  'whole-order': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const

export const refundCommand: Command = {
  name: 'refund',
  summary: 'give a charge back through its store',
  optionOf: { reason: '--reason' },
  help: `
svc refund PURCHASE | TRANSACTION [--reason TEXT] [--whole-order] [--yes]

A purchase (pur_ id) means its current charge, which takes the access with it. A transaction (txn_ id) means that charge;
an earlier period takes no access. The money goes back through the store at once: it asks first. Repeating is safe, a
charge is given back once. iOS purchases can only be refunded by the store. Of a running subscription with several
products at Google Play, only the product of this purchase is refunded.

  --reason TEXT  for the event and the audit log
  --whole-order  refund all products of the order; needed where Google Play cannot refund one alone
  --yes          do not ask; needed without a terminal and with --json
  --project P    slug or id; needless with one project
  --data DIR, --json
${remoteHelp(17)}

Example: svc refund pur_01m5w36wm0edqrb018tr4sjm6r --reason "double purchase"`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const { yes = false, json = false } = values
    const reference = toReference(positionals)
    if (!yes && (!io.isTerminal || json)) throw new UsageError('refund cannot ask here: add --yes')
    const order = { ...reference, reason: values.reason ?? null, wholeOrder: values['whole-order'] ?? false }
    const work = async (refunds: Refunds): Promise<number> => {
      const tried = yes ? null : await refunds.preview(order)
      if (tried && !(await io.confirm(question(tried)))) throw new CommandFailure('HTTP_ERROR', 'Nothing was refunded.')
      const view = await refunds.refund(order)
      io.out(json ? JSON.stringify(view) : tableOf(view))
      return 0
    }
    return found(
      `${'purchaseId' in reference ? 'purchase' : 'charge'} "${positionals[0]}"`,
      withTarget(io, values, {
        server: async (remote) => work(await remoteRefunds(remote, values.project)),
        machine: async (ctx) => work(await localRefunds(ctx, values.project)),
      }),
    )
  },
}

const tableOf = ({ purchase, transaction }: Refund): string =>
  table([
    ['purchase', `${purchase.id} is ${purchase.status}`],
    ['transaction', transaction.id],
    ['refunded', moneyOf(transaction.price)],
  ])

function toReference([id, ...more]: readonly string[]): ChargeReference {
  if (id?.startsWith('pur_') && more.length === 0) return { purchaseId: id }
  if (id?.startsWith('txn_') && more.length === 0) return { transactionId: id }
  throw new UsageError('refund takes one purchase (pur_ id) or one transaction (txn_ id)')
}

/** `tried`: what the refund would answer. */
function question({ purchase, transaction, purchaseIds = [] }: Refund): string {
  const { id, store, storeTransactionId } = purchase
  // A refund of an earlier period keeps the access.
  const effect = transaction.storeTransactionId === storeTransactionId ? 'the access ends' : 'the access stays'
  const others = purchaseIds.filter((one) => one !== id)
  const more = others.length > 0 ? `; with the whole order also: ${others.join(', ')}` : ''
  return `Refund ${moneyOf(transaction.price)} of ${id} (${store} ${transaction.storeTransactionId}); ${effect}${more}?`
}

const moneyOf = (price: { amountMicros: number; currency: string } | null): string =>
  price === null ? 'what was paid' : `${Math.abs(price.amountMicros) / 1_000_000} ${price.currency}`
