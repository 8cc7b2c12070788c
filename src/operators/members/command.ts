import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { type RemoteValues, remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { ROLES, type Role } from '../../core/roles/roles'
import { requireProject } from '../../projects/project/lookup'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { LOCAL_ONLY } from '../mail/queue-mail'
import {
  addByEmail,
  changeRoleByEmail,
  type InvitationView,
  inviteByEmail,
  listMembers,
  listOpenInvitations,
  type MemberView,
  removeByEmail,
} from './command-service'

const options = { ...projectOptions, role: { type: 'string' } } as const

export const memberCommand: Command = {
  name: 'member',
  summary: 'list, invite, add, change or remove the members of a project',
  optionOf: { role: '--role' },
  help: `
svc member list                    --project P
svc member invite EMAIL --role R   --project P   mails a link; without a mail server, prints one
svc member invitations             --project P   who is invited, with the links that are not mailed
svc member add    EMAIL --role R   --project P   the person must have an account; on the machine of the server only
svc member role   EMAIL --role R   --project P   gives another role
svc member remove EMAIL            --project P

R is OWNER, ADMIN, DEVELOPER, GROWTH or CUSTOMER_SUPPORT. The last owner can be neither changed nor removed. A printed
link works for 7 days. It lets in who has it as EMAIL, and proves no address. The line of the log beside it, on stderr, has
the link of the unsent mail, which does prove the address: send the printed one.

  --data DIR, --json
${remoteHelp(15)}

Example: svc member add ada@example.com --role DEVELOPER --project sleep-app`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, email] = positionals
    const given = { io, email, role: values.role, json: values.json ?? false }
    if (action === 'add') return add(given, values)
    const work = ACTIONS[action ?? '']
    if (!work) throw new UsageError('member takes list, invite, invitations, add, role or remove')
    return withProject(io, values, (project) => work(project, given))
  },
}

interface Given {
  io: Io
  email: string | undefined
  role: string | undefined
  json: boolean
}

type Values = RemoteValues & { project?: string | undefined }

/** No route does this, because its answer says who has an account. */
function add(given: Given, values: Values): Promise<number> {
  const { url, token, data } = values
  if (url !== undefined || token !== undefined || (data === undefined && given.io.env.SVC_URL?.trim()))
    throw new UsageError(ADD_HERE)
  return withContext(given.io, values, async (ctx) => {
    const { id } = await requireProject(ctx, values.project)
    return print(given, await addByEmail(ctx, id, requireEmail(given), requireRole(given)))
  })
}

const ADD_HERE =
  'member add works on the machine of the server only, because no other place says who has an account; use svc member invite, or leave out --url and SVC_URL'

const ACTIONS: Record<string, (project: ProjectApi, given: Given) => Promise<number>> = {
  list: async (project, { io, json }) => {
    const members = await listMembers(project)
    if (json) io.out(JSON.stringify({ members: members.map(toJson) }))
    else io.out(table([['email', 'name', 'role', 'user'], ...members.map(toLine)]))
    return 0
  },
  invite: async (project, given) => {
    const invitation = await inviteByEmail(project, requireEmail(given), requireRole(given))
    const { email, link } = invitation
    if (given.json) given.io.out(JSON.stringify(invitation))
    else given.io.out(link ?? `An invitation is on its way to ${email}.`)
    if (link !== null && project.ctx?.config.publicBaseUrl === null) given.io.err(LOCAL_ONLY)
    return 0
  },
  invitations: async (project, { io, json }) => {
    const invitations = await listOpenInvitations(project)
    if (json) io.out(JSON.stringify({ invitations }))
    else io.out(table([['email', 'role', 'until', 'link'], ...invitations.map(toInvitationLine)]))
    return 0
  },
  role: async (project, given) =>
    print(given, await changeRoleByEmail(project, requireEmail(given), requireRole(given))),
  remove: async (project, given) => {
    const email = requireEmail(given)
    await removeByEmail(project, email)
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

function print({ io, json }: Given, member: MemberView): number {
  io.out(json ? JSON.stringify(toJson(member)) : `${member.email} is a member as ${member.role}.`)
  return 0
}

const toJson = ({ userId, email, name, role, joinedAt }: MemberView) => ({ userId, email, name, role, joinedAt })

const toInvitationLine = ({ email, role, expiresAt, link }: InvitationView): string[] => [
  email,
  role,
  expiresAt,
  link ?? 'in the mail',
]

const toLine = ({ email, name, role, userId }: MemberView): string[] => [email, name, role, userId]
