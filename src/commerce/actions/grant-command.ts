import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, found, toInstant, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { toIsoOrNull } from '../../base/lib/time'
import { PurchaseViewSchema } from '../../people/purchases/wire'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { checkManner, grantAudience } from './grant-audience'

const options = {
  ...projectOptions,
  subscriber: { type: 'string' },
  audience: { type: 'string' },
  product: { type: 'string' },
  access: { type: 'string', multiple: true },
  until: { type: 'string' },
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
} as const

/** A newer server may answer more. */
const Granted = Type.Omit(PurchaseViewSchema, [], { additionalProperties: true })

export const grantCommand: Command = {
  name: 'grant',
  summary: 'give a subscriber or an audience access without a purchase',
  optionOf: { productId: '--product', accessIds: '--access', expiresAt: '--until', reason: '--reason' },
  help: `
svc grant --subscriber REF --product ID [--until T] [--reason TEXT]
svc grant --subscriber REF --access ID [--access ID ...] [--until T] [--reason TEXT]
svc grant --audience NAME (--product ID | --access ID ...) [--until T] [--reason TEXT] [--dry-run] [--yes]

It costs nothing, counts in no money figure and books no currency. Take it away again with: svc schedule cancel ID
--at T --revoke

To an audience: everyone whom it matches at this moment gets the grant, at most 500 people in one call, and all of them or
none. It shows how many they are and asks first.

  --subscriber REF  sub_ id, appUserId or device key
  --audience NAME   name or id of an audience
  --product ID      gives what the product gives; id or identifier
  --access ID       gives this access; id or identifier
  --until T         when it ends, in ISO 8601; without it, never
  --reason TEXT     for the event and the audit log
  --dry-run         shows to whom an audience would give it, and changes nothing
  --yes             does not ask; needed for an audience without a terminal and with --json
  --project P       slug or id; needless with one project
  --data DIR, --json
${remoteHelp(20)}

Example: svc grant --subscriber user_1 --product pro_monthly --until 2026-12-31T00:00:00Z --reason "outage of 3 May"`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const { subscriber, audience, 'dry-run': dryRun = false, yes = false, json = false } = values
    if (audience !== undefined && subscriber !== undefined)
      throw new UsageError('--subscriber and --audience exclude each other')
    const body = bodyOf(values)
    if (audience !== undefined) {
      const manner = checkManner(io, { dryRun, yes, json })
      await withProject(io, values, (project) => grantAudience(io, project, audience, body, manner))
      return 0
    }
    if (subscriber === undefined) throw new UsageError('grant needs --subscriber or --audience')
    if (dryRun || yes) throw new UsageError('--dry-run and --yes belong to --audience')
    const view = await found(
      `subscriber "${subscriber}"`,
      withProject(io, values, (project) =>
        project.call('POST', ['subscribers', subscriber, 'grants'], { data: Granted, body }),
      ),
    )
    io.out(json ? JSON.stringify(view) : tableOf(view))
    return 0
  },
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

function bodyOf({ product, access, until, reason }: Values): object {
  if ((product === undefined) === (access === undefined))
    throw new UsageError('grant needs either --product or --access')
  return {
    ...(product !== undefined && { productId: product }),
    ...(access !== undefined && { accessIds: access }),
    expiresAt: toIsoOrNull(toInstant('--until', until) ?? null),
    ...(reason !== undefined && { reason }),
  }
}

const tableOf = ({ id, subscriberId, expiresAt }: Static<typeof Granted>): string =>
  table([
    ['purchase', id],
    ['subscriber', subscriberId],
    ['until', expiresAt ?? 'for ever'],
  ])
