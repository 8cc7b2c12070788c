import { parseArgs } from 'node:util'
import { type Command, CommandFailure, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { found } from '../../base/cli/found'
import { table } from '../../base/cli/table'
import type { Charge, ChargeReference } from '../../people/purchases/charges'
import { requireProject } from '../../projects/project/lookup'
import { CLI_ORIGIN } from './actor'
import { getRefundable, refundPurchase } from './refunds'
import { toRefundView } from './wire'

const options = {
  project: { type: 'string' },
  reason: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const refundCommand: Command = {
  name: 'refund',
  summary: 'give a charge back through its store',
  optionOf: { reason: '--reason' },
  help: `
svc refund PURCHASE | TRANSACTION [--reason TEXT] [--yes]

A purchase (pur_ id) means its current charge, which takes the access with it. A transaction (txn_ id) means that charge;
an earlier period takes no access. The money goes back through the store at once: it asks first. Repeating is safe, a
charge is given back once. iOS purchases can only be refunded by the store.

  --reason TEXT  for the event and the audit log
  --yes          do not ask; needed without a terminal and with --json
  --project P    slug or id; needless with one project
  --data DIR, --json

Example: svc refund pur_01m5w36wm0edqrb018tr4sjm6r --reason "double purchase"`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const { yes = false, json = false } = values
    const reference = toReference(positionals)
    if (!yes && (!io.isTerminal || json)) throw new UsageError('refund cannot ask here: add --yes')
    return withContext(io, values, async (ctx) => {
      const project = await ctx.state.projects.get((await requireProject(ctx, values.project)).id)
      const { charge } = await found(`charge "${positionals[0]}"`, getRefundable(ctx, project, reference))
      if (!yes && !(await io.confirm(question(charge)))) throw new CommandFailure('HTTP_ERROR', 'Nothing was refunded.')
      const order = { ...reference, reason: values.reason ?? null, origin: CLI_ORIGIN }
      const view = toRefundView(project, await refundPurchase(ctx, project, order), ctx.clock.now())
      if (json) io.out(JSON.stringify(view))
      else
        io.out(
          table([
            ['purchase', `${view.purchase.id} is ${view.purchase.status}`],
            ['transaction', view.transaction.id],
            ['refunded', moneyOf(view.transaction.price)],
          ]),
        )
      return 0
    })
  },
}

function toReference([id, ...more]: readonly string[]): ChargeReference {
  if (id?.startsWith('pur_') && more.length === 0) return { purchaseId: id }
  if (id?.startsWith('txn_') && more.length === 0) return { transactionId: id }
  throw new UsageError('refund takes one purchase (pur_ id) or one transaction (txn_ id)')
}

function question({ purchase, line, storeTransactionId, isCurrent }: Charge): string {
  const price =
    line?.amountMicros != null && line.currency !== null
      ? { amountMicros: line.amountMicros, currency: line.currency }
      : null
  const effect = isCurrent ? 'the access ends' : 'the access stays'
  return `Refund ${moneyOf(price)} of ${purchase.id} (${purchase.store} ${storeTransactionId}); ${effect}?`
}

const moneyOf = (price: { amountMicros: number; currency: string } | null): string =>
  price === null ? 'what was paid' : `${Math.abs(price.amountMicros) / 1_000_000} ${price.currency}`
