import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { requireProject } from '../../projects/project/lookup'
import { makeSetupLink } from '../sign-in/setup'
import { addUser } from './add-user'
import { disableUserTwoFactor, listUsers, removeUser, requireUser, resetUserPassword, toUserView } from './service'

const options = {
  email: { type: 'string' },
  name: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  'owner-of': { type: 'string' },
  yes: { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const userCommand: Command = {
  name: 'user',
  summary: 'create, list or delete console users, or let one in again',
  optionOf: { email: '--email', name: '--name', password: '--password-stdin' },
  help: `
svc user setup-link                    a link with which the first user signs up
svc user create --email E [--name NAME] [--password-stdin] [--owner-of P]
svc user list
svc user reset-password USER [--password-stdin]
svc user disable-two-factor USER       for somebody who lost the app and the backup codes
svc user delete USER [--yes]           refused while the user owns projects

USER is the mail address or the usr_ id. Without --password-stdin, create and reset-password print a link that works for
one hour; with it, the password is the first line of the input. Options: --data DIR, --json

Example: svc user create --email ada@example.com --owner-of sleep-app`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action = '', user, ...more] = positionals
    const work = ACTIONS[action]
    if (!work || more.length > 0 || (user !== undefined && !OF_ONE.includes(action)))
      throw new UsageError('user takes setup-link, create, list, reset-password, disable-two-factor or delete')
    if (user === undefined && OF_ONE.includes(action)) throw new UsageError('name the user by address or id')
    const isAsking = action === 'delete' && !values.yes
    if (isAsking && (!io.isTerminal || values.json)) throw new UsageError('user delete cannot ask here: add --yes')
    const { 'password-stdin': isPasswordGiven = false, 'owner-of': ownerOf, json = false, ...rest } = values
    return withContext(io, values, (ctx) =>
      work(ctx, { ...rest, io, json, user: user ?? '', ownerOf, isPasswordGiven }),
    )
  },
}

const OF_ONE = ['reset-password', 'disable-two-factor', 'delete']

interface Given {
  io: Io
  user: string
  json: boolean
  isPasswordGiven: boolean
  email?: string | undefined
  name?: string | undefined
  ownerOf: string | undefined
  yes?: boolean | undefined
}

const ACTIONS: Record<string, (ctx: Context, given: Given) => Promise<number>> = {
  'setup-link': async (ctx, { io, json }) => {
    const setupLink = await makeSetupLink(ctx)
    if (setupLink === null)
      throw new CommandFailure('CONFLICT', 'There are users already; make another one with: svc user create')
    io.out(json ? JSON.stringify({ setupLink }) : setupLink)
    return 0
  },
  create: async (ctx, { io, json, email, name, ownerOf, isPasswordGiven }) => {
    if (email === undefined) throw new UsageError('user create needs --email')
    const projectId = ownerOf === undefined ? null : (await requireProject(ctx, ownerOf)).id
    const password = isPasswordGiven ? await readPassword(io) : null
    const { user, passwordLink } = await addUser(ctx, { email, name: name ?? email, password, projectId })
    if (json) io.out(JSON.stringify({ ...toUserView({ user, hasTwoFactor: false }), passwordLink }))
    else io.out(table([['id', user.id], ['email', user.email], ...linkLine(passwordLink)]))
    return 0
  },
  list: async (ctx, { io, json }) => {
    const users = (await listUsers(ctx)).map(toUserView)
    io.out(json ? JSON.stringify({ users }) : table([HEAD, ...users.map(toLine)]))
    return 0
  },
  'reset-password': async (ctx, { io, json, user, isPasswordGiven }) => {
    const account = await requireUser(ctx, user)
    const passwordLink = await resetUserPassword(ctx, account, isPasswordGiven ? await readPassword(io) : null)
    const { id, email } = account.user
    if (json) io.out(JSON.stringify({ id, email, passwordLink }))
    else io.out(passwordLink ?? `${email} has the new password; all sessions have ended.`)
    return 0
  },
  'disable-two-factor': async (ctx, { io, json, user }) => {
    const account = await requireUser(ctx, user)
    await disableUserTwoFactor(ctx, account)
    const { id, email } = account.user
    io.out(json ? JSON.stringify({ id, email, twoFactorEnabled: false }) : `${email} signs in without a second factor.`)
    return 0
  },
  delete: async (ctx, { io, json, user, yes }) => {
    const account = await requireUser(ctx, user)
    const { id, email } = account.user
    if (!yes && !(await io.confirm(`Delete the account of ${email}?`)))
      throw new CommandFailure('HTTP_ERROR', 'Nothing was deleted.')
    await removeUser(ctx, account)
    io.out(json ? JSON.stringify({ id, email, deleted: true }) : `${email} is deleted.`)
    return 0
  },
}

/** The first line of the input. */
async function readPassword({ input }: Io): Promise<string> {
  const [password = ''] = ((await input?.()) ?? '').split(/\r?\n/)
  if (password === '') throw new UsageError('--password-stdin needs the password on the input')
  return password
}

const linkLine = (link: string | null): string[][] => (link === null ? [] : [['password link', link]])

const HEAD = ['id', 'email', 'name', 'verified', 'two factors']

const toLine = (view: ReturnType<typeof toUserView>): string[] => [
  view.id,
  view.email,
  view.name,
  view.emailVerified ? 'yes' : 'no',
  view.twoFactorEnabled ? 'yes' : 'no',
]
