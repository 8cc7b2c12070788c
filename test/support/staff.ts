import { DAY } from '../../src/base/lib/clock'
import { type MemberRole, ROLES } from '../../src/core/roles/roles'
import type { Answer, Stage } from './cast'
import { person, TestSessions } from './sessions'

export type StaffRole = MemberRole | 'STRANGER'

/** What a call of a member carries beside its body. */
interface StaffOptions {
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Below `/dashboard/projects/<this id>`; the stage's project when absent. */
  projectId?: string
}

/** Members of the stage's project, one for each role, a platform administrator with a support grant, and a stranger. */
export interface Staff {
  sessions: TestSessions
  /** Calls `/dashboard/projects/:projectId` + path as the member with this role, as the dashboard does in a browser. */
  as(role: StaffRole): StaffCalls
}

export interface StaffCalls {
  call(method: string, path: string, body?: unknown, options?: StaffOptions): Promise<Answer>
  get(path: string, options?: StaffOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: StaffOptions): Promise<Answer>
  patch(path: string, body: unknown, options?: StaffOptions): Promise<Answer>
  put(path: string, body: unknown, options?: StaffOptions): Promise<Answer>
  delete(path: string, options?: StaffOptions): Promise<Answer>
}

const PEOPLE: readonly StaffRole[] = [...ROLES, 'SUPPORT_READ', 'STRANGER']
const ORIGIN = 'http://localhost'

/** How the dashboard of this deployment calls its own API. */
export function browserOf({ ctx }: Stage): { origin: string; cookie: string } {
  const origin = ctx.config.publicBaseUrl ?? ORIGIN
  return { origin, cookie: origin.startsWith('https:') ? '__Host-svc_session' : 'svc_session' }
}

export const staffId = (role: StaffRole): string => `usr_${role.toLowerCase()}`

/** Signs a person in for each role, in memory. Accounts, passwords and cookies of the product are not involved. */
export function staff(s: Stage): Staff {
  const sessions = new TestSessions()
  s.ctx.state.sessions = sessions
  const now = s.ctx.clock.now()
  const life = { createdAt: now, expiresAt: now + 3650 * DAY, revokedAt: null, hasPassedTwoFactor: true }
  for (const role of PEOPLE) {
    const user = person(staffId(role))
    sessions.sessions.set(role, { id: `ses_${role}`, user, ...life })
    // A support grant is read in a session of at most 12 hours, however far a test moves the clock.
    if (role === 'SUPPORT_READ')
      Object.defineProperty(sessions.sessions.get(role), 'createdAt', { get: () => s.ctx.clock.now() })
    if (role !== 'STRANGER') sessions.roles.set(`${user.id} ${s.project.id}`, role)
  }
  return { sessions, as: (role) => callsOf(s, role) }
}

function callsOf(s: Stage, role: StaffRole): StaffCalls {
  const { origin, cookie } = browserOf(s)
  const call: StaffCalls['call'] = (method, path, body, { headers = {}, projectId = s.project.id, signal } = {}) =>
    s.call(method, `/dashboard/projects/${projectId}${path}`, {
      key: null,
      headers: {
        cookie: `${cookie}=${role}`,
        ...(method === 'GET' ? {} : { origin }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal && { signal }),
    })
  return {
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body = {}, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
}
