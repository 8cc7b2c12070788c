import { DAY } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import type { Role } from '../../src/core/roles/roles'
import { emailKey } from '../../src/operators/accounts/email'
import { createUser } from '../../src/operators/accounts/users'
import { insertMember } from '../../src/operators/members/service'
import type { Stage } from './cast'
import { Visitor } from './visitor'

/** A person with an account and an open session, as sign-in leaves them. */
export interface Person {
  id: string
  email: string
  browser: Visitor
}

interface PersonOptions {
  /** Whether the second factor is set up, and was given in this session. */
  isAdmin?: boolean
}

/** Signs a person in without a password, so that tests of other things do not wait for its hash. */
export async function arrive(s: Stage, name: string, { isAdmin = false }: PersonOptions = {}): Promise<Person> {
  const email = `${name}@${isAdmin ? PLATFORM_DOMAIN : 'example.com'}`
  const token = s.ctx.ids.token(43)
  const now = s.ctx.clock.now()
  const id = await s.ctx.write(async (tx) => {
    const user = await createUser(tx, { email, name, passwordHash: null, isVerified: true })
    if (!user) throw new Error(`${email} is taken`)
    const stamps = { createdAt: now, lastSeenAt: now, expiresAt: now + 30 * DAY }
    const { userSessions, twoFactors } = tx.tables
    await tx.db.insert(userSessions).values({
      id: tx.ids.next('ses'),
      tokenHash: sha256Hex(token),
      userId: user.id,
      ip: '203.0.113.1',
      userAgent: 'test',
      secondFactorAt: isAdmin ? now : null,
      ...stamps,
    })
    if (isAdmin)
      await tx.db.insert(twoFactors).values({ userId: user.id, sealedSecret: 'none', confirmedAt: now, createdAt: now })
    return user.id
  })
  const isSecure = s.ctx.config.publicBaseUrl?.startsWith('https:') ?? false
  const browser = new Visitor(s)
  browser.cookies.set(isSecure ? '__Host-svc_session' : 'svc_session', token)
  return { id, email: emailKey(email), browser }
}

/** The domain of platform administrators, for `SVC_ADMIN_EMAIL_DOMAINS`. */
export const PLATFORM_DOMAIN = 'platform.example'

/** As `arrive`, and a member of the project. */
export async function join(s: Stage, name: string, role: Role, projectId = s.project.id): Promise<Person> {
  const person = await arrive(s, name)
  await s.ctx.write((tx) => insertMember(tx, projectId, person.id, role))
  return person
}

/** The rows of an audit log, oldest first. */
export async function auditOf(s: Stage, projectId = s.project.id) {
  const rows = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
  return rows.filter((row) => row.projectId === projectId).sort((a, b) => a.position - b.position)
}

/** How many rows a piece of work writes to a log, and the last of them. */
export async function auditedBy(s: Stage, work: () => Promise<unknown>, projectId = s.project.id) {
  const before = (await auditOf(s, projectId)).length
  await work()
  const after = await auditOf(s, projectId)
  return { count: after.length - before, last: after.at(-1) }
}

/** The links in the mails to an address, the newest first. */
export async function linksTo(s: Stage, address: string): Promise<string[]> {
  const mails = await s.ctx.db.select().from(s.ctx.tables.mails)
  const theirs = mails.filter(({ toAddress }) => toAddress === address).sort((a, b) => (a.id < b.id ? 1 : -1))
  return theirs.flatMap(({ id, sealed }) => {
    const letter = sealed === null ? null : s.ctx.vault?.open(sealed, `${id}:letter`)
    return letter ? [String(JSON.parse(letter).action?.url)] : []
  })
}
