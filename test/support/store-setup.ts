import { type ApiServer, startApiServer } from '../../src/test-store/stores/api-server'
import { CONNECT_PEM, type ConnectServer, newApp, startConnectServer } from './app-store-connect'
import { type Answer, BUNDLE, type Stage, stage } from './cast'
import { NOW, TestClock } from './context'
import { type Staff, type StaffCalls, type StaffRole, staff } from './staff'

export const ISSUER = '57246542-96fe-1a63-e053-0824d011072a'
/** The id of an in-app purchase key, and of store-connect keys with enough and too little rights. */
export const IAP_KEY_ID = 'IAPKEY0001'
export const CONNECT_KEY_ID = 'CONNECT001'
export const READER_KEY_ID = 'READER0001'
export const NOBODY_KEY_ID = 'NOBODY0001'

export const BASE = 'https://svc.example.com'

export const iosKey = (keyId: string, members: object = {}) => ({
  keyId,
  issuerId: ISSUER,
  privateKey: CONNECT_PEM,
  ...members,
})

/** A body that the store accepts. */
export const IOS_BODY = {
  bundleId: BUNDLE,
  inAppPurchaseKey: iosKey(IAP_KEY_ID),
  storeConnectKey: iosKey(CONNECT_KEY_ID),
}

/** A stage whose stores are on loopback, with people of every role. */
export interface SetupStage extends Stage {
  team: Staff
  server: ApiServer
  connect: ConnectServer
  as(role: StaffRole): StaffCalls
  /** The audit rows of the project so far. */
  audit(): Promise<{ action: string; target: unknown; actor: unknown; before: unknown; after: unknown }[]>
}

/** With `isPublic` the deployment has a public https address, whose cookies and origin the people use. */
export async function setupStage({
  env = {},
  isPublic = false,
}: {
  env?: Record<string, string>
  isPublic?: boolean
} = {}): Promise<SetupStage> {
  const server = startApiServer({ bundleId: BUNDLE })
  let present = () => new TestClock(NOW).now()
  const connect = startConnectServer(() => present())
  connect.apps.push(newApp(`${BUNDLE}.watch`, '99'), newApp(BUNDLE))
  connect.roles.set(CONNECT_KEY_ID, 'ADMIN').set(READER_KEY_ID, 'READER').set(NOBODY_KEY_ID, 'NONE')
  const urls = { SVC_IOS_API_URL: server.url, SVC_IOS_CONNECT_API_URL: connect.url }
  const s = await stage({ env: { ...urls, ...(isPublic && { PUBLIC_BASE_URL: BASE }), ...env } })
  present = () => s.ctx.clock.now()
  const team = staff(s)
  return Object.assign(s, {
    team,
    server,
    connect,
    as: (role: StaffRole) => (isPublic ? inPublic(team, role) : team.as(role)),
    async audit() {
      const { auditLog: a } = s.ctx.tables
      const rows = await s.ctx.db.select().from(a).orderBy(a.position)
      return rows.map(({ action, target, actor, before, after }) => ({ action, target, actor, before, after }))
    },
    close: async () => {
      await s.ctx.close()
      await Promise.all([server.close(), connect.close()])
    },
  })
}

function inPublic(team: Staff, role: StaffRole): StaffCalls {
  const headers = (method: string) => ({
    cookie: `__Host-svc_session=${role}`,
    ...(method === 'GET' ? {} : { origin: BASE }),
  })
  const calls = team.as(role)
  const call: StaffCalls['call'] = (method, path, body, options = {}) =>
    calls.call(method, path, body, { ...options, headers: { ...headers(method), ...options.headers } })
  return {
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body = {}, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
}

/** What was refused: status, code, details. */
export function refusalOf({ status, body }: Pick<Answer, 'status' | 'body'>): unknown[] {
  const { code, details } = body.error
  return details === undefined ? [status, code] : [status, code, details]
}
