import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { runWaiting } from '../missing-products/command'
import { runRelink } from '../relink/command'
import { runRepair } from './command'

const options = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  credits: { type: 'boolean' },
} as const

const ACTIONS = { waiting: runWaiting, relink: runRelink }

const isAction = (action: string | undefined): action is keyof typeof ACTIONS | 'repair' =>
  action === 'waiting' || action === 'relink' || action === 'repair'

export const purchasesCommand: Command = {
  name: 'purchases',
  summary:
    'list what waits for a product, link purchases to products that came later, and join rows and charges of one purchase',
  help: `
svc purchases waiting [--project P]
svc purchases relink [--project P]
svc purchases repair [--project P] [--dry-run] [--credits]

waiting lists the products of the stores that people bought and the catalogue lacks, with their purchases. Its exit code
is 3 when there is one. Add a product with each id; the console can create all of them.

Purchases that were recorded before a product had their store id get that product: its name, its access, its place in
the figures, and the currency that it grants, which imported history does not get. A running server does this by itself
after every edit of a product; both may run at once, and a second run changes nothing. A purchase that has a product
keeps it.

repair joins the rows that a release before copies were known has made of one purchase of the App Store. The owner of the
oldest row keeps it, a labelled one before one without a label. Others lose the access; each of them is named. Ids of
before name the row that stays. It also joins charges of one subscription that have the same period under several
transaction ids: one money line stays, and the ids of the others name it. A running server does both by itself; a second
run changes nothing. Currency that was granted beside the first grant is listed, and taken back only with --credits, as far
as it was not spent.

  --project P  slug or id; without it every project
  --dry-run    repair only: what would be done, and who would lose access; nothing is written
  --credits    repair only: takes back what was granted twice
  --data DIR, --json

Example: svc purchases relink --project sleep-app`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, ...more] = positionals
    const { project, json = false, credits = false, 'dry-run': dryRun = false } = values
    if (more.length > 0 || !isAction(action)) throw new UsageError('purchases takes waiting, relink or repair')
    if (action !== 'repair' && (dryRun || credits))
      throw new UsageError(`${action} takes no --dry-run and no --credits`)
    return withContext(io, values, (ctx) => {
      if (action === 'repair') return runRepair(ctx, io, { project, dryRun, credits, json })
      return ACTIONS[action](ctx, io, project, json)
    })
  },
}
