import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, CommandFailure, found, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { toDecimal } from '../../core/money/money'
import { PurchaseViewSchema, TransactionView } from '../../people/purchases/wire'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'

const options = {
  ...projectOptions,
  reason: { type: 'string' },
  'whole-order': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
} as const

/** A newer server may answer more. */
const LENIENT = { additionalProperties: true }

const Refund = Type.Object({
  purchase: Type.Omit(PurchaseViewSchema, [], LENIENT),
  transaction: Type.Omit(TransactionView, [], LENIENT),
  /** A server of an earlier release does not name them. */
  purchaseIds: Type.Optional(Type.Array(Type.String())),
})
type Refund = Static<typeof Refund>
const Preview = Type.Object({ result: Refund })

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
    const { id, path } = toPath(positionals)
    if (!yes && (!io.isTerminal || json)) throw new UsageError('refund cannot ask here: add --yes')
    const { reason, 'whole-order': wholeOrder } = values
    const body = { ...(reason !== undefined && { reason }), ...(wholeOrder && { wholeOrder }) }
    const work = async (project: ProjectApi): Promise<number> => {
      // The store is not called to know what the refund would answer.
      const preview = { data: Preview, body: { ...body, dryRun: true } }
      const tried = yes ? null : (await project.call('POST', path, preview)).result
      if (tried && !(await io.confirm(question(tried)))) throw new CommandFailure('HTTP_ERROR', 'Nothing was refunded.')
      const view = await project.call('POST', path, { data: Refund, body })
      io.out(json ? JSON.stringify(view) : tableOf(view))
      return 0
    }
    return found(`${id.startsWith('pur_') ? 'purchase' : 'charge'} "${id}"`, withProject(io, values, work))
  },
}

const tableOf = ({ purchase, transaction }: Refund): string =>
  table([
    ['purchase', `${purchase.id} is ${purchase.status}`],
    ['transaction', transaction.id],
    ['refunded', moneyOf(transaction.price)],
  ])

function toPath([id = '', ...more]: readonly string[]) {
  if (id.startsWith('pur_') && more.length === 0) return { id, path: ['subscriptions', id, 'refund'] }
  if (id.startsWith('txn_') && more.length === 0) return { id, path: ['transactions', id, 'refund'] }
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
  price === null ? 'what was paid' : `${toDecimal(Math.abs(price.amountMicros))} ${price.currency}`
