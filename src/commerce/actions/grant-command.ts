import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, found, toInstant, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { toIsoOrNull } from '../../base/lib/time'
import { PurchaseViewSchema } from '../../people/purchases/wire'
import { projectOptions, withProject } from '../../projects/project/project-api'

const options = {
  ...projectOptions,
  subscriber: { type: 'string' },
  product: { type: 'string' },
  access: { type: 'string', multiple: true },
  until: { type: 'string' },
  reason: { type: 'string' },
} as const

/** A newer server may answer more. */
const Granted = Type.Omit(PurchaseViewSchema, [], { additionalProperties: true })

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
    const { subscriber, product, access, reason } = values
    if (subscriber === undefined) throw new UsageError('grant needs --subscriber')
    if ((product === undefined) === (access === undefined))
      throw new UsageError('grant needs either --product or --access')
    const expiresAt = toIsoOrNull(toInstant('--until', values.until) ?? null)
    const body = {
      ...(product !== undefined && { productId: product }),
      ...(access !== undefined && { accessIds: access }),
      expiresAt,
      ...(reason !== undefined && { reason }),
    }
    const view = await found(
      `subscriber "${subscriber}"`,
      withProject(io, values, (project) =>
        project.call('POST', ['subscribers', subscriber, 'grants'], { data: Granted, body }),
      ),
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
