import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { ROLES, type Role } from '../../core/roles/roles'
import { requireProject } from '../../projects/project/lookup'
import { LOCAL_ONLY } from '../mail/queue-mail'
import { type InvitationView, inviteByEmail, listOpenInvitations } from './command-invitations'
import { addByEmail, changeRoleByEmail, removeByEmail } from './command-service'
import { MAX_MEMBERS, type Member, pageMembers } from './service'
import { toInvitationView } from './wire'

const options = {
  project: { type: 'string' },
  role: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const memberCommand: Command = {
  name: 'member',
  summary: 'list, invite, add, change or remove the members of a project',
  optionOf: { role: '--role' },
  help: `
svc member list                    --project P
svc member invite EMAIL --role R   --project P   mails a link; without a mail server, prints one
svc member invitations             --project P   who is invited, with the links that are not mailed
svc member add    EMAIL --role R   --project P   the person must have an account
svc member role   EMAIL --role R   --project P   gives another role
svc member remove EMAIL            --project P

R is OWNER, ADMIN, DEVELOPER, GROWTH or CUSTOMER_SUPPORT. The last owner can be neither changed nor removed. A printed
link works for 7 days. It lets in who has it as EMAIL, and proves no address. The line of the log beside it, on stderr, has
the link of the unsent mail, which does prove the address: send the printed one.
Options: --data DIR, --json

Example: svc member add ada@example.com --role DEVELOPER --project sleep-app`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, email] = positionals
    const work = ACTIONS[action ?? '']
    if (!work) throw new UsageError('member takes list, invite, invitations, add, role or remove')
    return withContext(io, values, async (ctx) => {
      const { id } = await requireProject(ctx, values.project)
      return work(ctx, id, { io, email, role: values.role, json: values.json ?? false })
    })
  },
}

interface Given {
  io: Io
  email: string | undefined
  role: string | undefined
  json: boolean
}

const ACTIONS: Record<string, (ctx: Context, projectId: string, given: Given) => Promise<number>> = {
  list: async (ctx, projectId, { io, json }) => {
    const members = await pageMembers(ctx, projectId, { beforeId: null, limit: MAX_MEMBERS })
    if (json) io.out(JSON.stringify({ members: members.map(toWire) }))
    else io.out(table([['email', 'name', 'role', 'user'], ...members.map(toLine)]))
    return 0
  },
  invite: async (ctx, projectId, given) => {
    const { invitation, link } = await inviteByEmail(ctx, projectId, requireEmail(given), requireRole(given))
    if (given.json) given.io.out(JSON.stringify(toInvitationView(invitation, link, ctx.clock.now())))
    else given.io.out(link ?? `An invitation is on its way to ${invitation.email}.`)
    if (link !== null && ctx.config.publicBaseUrl === null) given.io.err(LOCAL_ONLY)
    return 0
  },
  invitations: async (ctx, projectId, { io, json }) => {
    const invitations = await listOpenInvitations(ctx, projectId)
    if (json) io.out(JSON.stringify({ invitations }))
    else io.out(table([['email', 'role', 'until', 'link'], ...invitations.map(toInvitationLine)]))
    return 0
  },
  add: async (ctx, projectId, given) =>
    print(given, await addByEmail(ctx, projectId, requireEmail(given), requireRole(given))),
  role: async (ctx, projectId, given) =>
    print(given, await changeRoleByEmail(ctx, projectId, requireEmail(given), requireRole(given))),
  remove: async (ctx, projectId, given) => {
    const email = requireEmail(given)
    await removeByEmail(ctx, projectId, email)
    given.io.out(given.json ? JSON.stringify({ email, removed: true }) : `${email} is no member any more.`)
    return 0
  },
}

function requireEmail({ email }: Given): string {
  if (email === undefined) throw new UsageError('name the person by their mail address')
  return email
}

function requireRole({ role }: Given): Role {
  const known = ROLES.find((one) => one === role?.toUpperCase())
  if (!known) throw new UsageError(`--role is one of ${[...ROLES].reverse().join(', ')}`)
  return known
}

function print({ io, json }: Given, member: Member): number {
  io.out(json ? JSON.stringify(toWire(member)) : `${member.email} is a member as ${member.role}.`)
  return 0
}

const toWire = ({ userId, email, name, role, createdAt }: Member) => ({
  userId,
  email,
  name,
  role,
  joinedAt: toIso(createdAt),
})

const toInvitationLine = ({ email, role, expiresAt, link }: InvitationView): string[] => [
  email,
  role,
  expiresAt,
  link ?? 'in the mail',
]

const toLine = ({ email, name, role, userId }: Member): string[] => [email, name, role, userId]
