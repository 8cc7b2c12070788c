import { registryOf } from '../../src/background'
import type { Context } from '../../src/base/context'
import { Worker } from '../../src/base/jobs/worker'
import { createContext } from '../../src/create-context'
import type { Letter } from '../../src/operators/mail/letter'
import { mailContext } from '../../src/operators/mail/queue-mail'
import { addUser } from '../../src/operators/user-commands/add-user'
import { PLATFORM_CHAIN } from '../../src/projects/audit/platform'
import { SLICES } from '../../src/slices'
import { codeAt } from './authenticator-app'
import type { Stage } from './cast'
import { PASSWORD, Visitor } from './visitor'

export const BEHIND_PROXY = { SVC_TRUSTED_PROXIES: '1' }

/** Makes a user with a verified address. Returns the id. */
export async function makeUser({ ctx }: Stage, email: string, password: string | null = PASSWORD): Promise<string> {
  return (await addUser(ctx, { email, name: email, password, projectId: null })).user.id
}

/** A browser that is signed in as the user with this address. */
export async function signedIn(s: Stage, email: string, ip?: string): Promise<Visitor> {
  const visitor = new Visitor(s, ip)
  const answer = await visitor.signIn(email)
  if (answer.body?.data?.next !== null) throw new Error(`the sign-in did not succeed: ${JSON.stringify(answer.body)}`)
  return visitor
}

/** Runs the jobs that are due. */
export async function work({ ctx }: Stage): Promise<void> {
  await new Worker(ctx, registryOf(SLICES)).runDue()
}

/** The mails that were written, in their order. */
export async function letters({ ctx }: Stage): Promise<Letter[]> {
  const rows = await ctx.db.select().from(ctx.tables.mails)
  return rows
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, sealed }) => JSON.parse(ctx.vault?.open(sealed ?? '', mailContext(id)) ?? 'null') as Letter)
}

/** The token in the newest mail of a kind. */
export async function tokenIn(s: Stage, kind: string): Promise<string> {
  const newest = (await letters(s)).findLast((letter) => letter.kind === kind)
  return newest?.action?.url.split('/').at(-1) ?? ''
}

/** The audit rows of accounts, in their order: action and actor. */
export async function audited({ ctx }: Stage): Promise<[action: string, kind: string, email: string | null][]> {
  const rows = await ctx.db.select().from(ctx.tables.auditLog).orderBy(ctx.tables.auditLog.position)
  return rows
    .filter(({ projectId }) => projectId === PLATFORM_CHAIN)
    .sort((a, b) => a.position - b.position)
    .map(({ action, actor }) => [action, actor.kind, actor.email])
}

export const auditedActions = async (s: Stage): Promise<string[]> => (await audited(s)).map(([action]) => action)

/** The code that an authenticator app shows, some steps of 30 seconds from now. */
export const codeOf = ({ ctx }: Stage, otpauthUrl: string, steps = 0): string =>
  codeAt(otpauthUrl, ctx.clock.now() + steps * 30_000)

/** Turns two-factor sign-in on. Returns what the app and the person keep. The first code is used up. */
export async function enableTwoFactor(s: Stage, visitor: Visitor): Promise<{ url: string; backupCodes: string[] }> {
  const enabled = await visitor.post('/dashboard/me/two-factor/enable', { password: PASSWORD })
  const { otpauthUrl: url, backupCodes } = enabled.body.data
  const confirmed = await visitor.post('/dashboard/me/two-factor/confirm', { code: codeOf(s, url) })
  if (confirmed.status !== 200) throw new Error(`two factors were not enabled: ${JSON.stringify(confirmed.body)}`)
  return { url, backupCodes }
}

/** Another process on the same database. */
export const openBeside = ({ ctx }: Stage): Promise<Context> =>
  createContext(ctx.config, { clock: ctx.clock, log: ctx.log })

/** Does the same eight times at once. */
export const eightTimes = <Result>(run: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 8 }, (_, n) => run(n)))
