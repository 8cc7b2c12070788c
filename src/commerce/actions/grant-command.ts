import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../base/cli/command'
import { found } from '../../base/cli/found'
import { toInstant } from '../../base/cli/option'
import { remoteHelp, remoteOptions } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { withTarget } from '../../base/cli/target'
import { grantHere, grantThere } from './grant-target'

const options = {
  project: { type: 'string' },
  subscriber: { type: 'string' },
  product: { type: 'string' },
  access: { type: 'string', multiple: true },
  until: { type: 'string' },
  reason: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const

export const grantCommand: Command = {
  name: 'grant',
  summary: 'give a subscriber access without a purchase',
  optionOf: { productId: '--product', accessIds: '--access', expiresAt: '--until', reason: '--reason' },
  help: `
svc grant --subscriber REF --product ID [--until T] [--reason TEXT]
svc grant --subscriber REF --access ID [--access ID ...] [--until T] [--reason TEXT]

It costs nothing, counts in no money figure and books no currency. Take it away again with: svc schedule cancel ID
--at T --revoke

  --subscriber REF  sub_ id, appUserId or device key
  --product ID      gives what the product gives; id or identifier
  --access ID       gives this access; id or identifier
  --until T         when it ends, in ISO 8601; without it, never
  --reason TEXT     for the event and the audit log
  --project P       slug or id; needless with one project
  --data DIR, --json
${remoteHelp(20)}

Example: svc grant --subscriber user_1 --product pro_monthly --until 2026-12-31T00:00:00Z --reason "outage of 3 May"`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const { subscriber, product = null, access = null } = values
    if (subscriber === undefined) throw new UsageError('grant needs --subscriber')
    if ((product === null) === (access === null)) throw new UsageError('grant needs either --product or --access')
    const expiresAt = toInstant('--until', values.until) ?? null
    const wish = { subscriber, productId: product, accessIds: access, expiresAt, reason: values.reason ?? null }
    const view = await found(
      `subscriber "${subscriber}"`,
      withTarget(io, values, {
        server: (remote) => grantThere(remote, values.project, wish),
        machine: (ctx) => grantHere(ctx, values.project, wish),
      }),
    )
    if (values.json) io.out(JSON.stringify(view))
    else
      io.out(
        table([
          ['purchase', view.id],
          ['subscriber', view.subscriberId],
          ['until', view.expiresAt ?? 'for ever'],
        ]),
      )
    return 0
  },
}
