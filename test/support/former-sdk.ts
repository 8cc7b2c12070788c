import type { Answer, Stage } from './cast'
import { staff } from './staff'

/** The headers of the calls of each SDK. */
export const SDK_HEADERS = {
  ios: {
    ...{
      'x-platform': 'iOS',
      'x-version': '5.43.0',
      'x-platform-flavor': 'native',
      'x-client-bundle-id': 'com.example',
    },
    ...{ 'x-revenuecat-etag': '', 'x-nonce': 'AAAAAAAAAAAAAAAA', 'x-is-sandbox': 'true' },
  },
  android: { 'x-platform': 'android', 'x-version': '9.9.0', 'x-platform-flavor': 'native', 'x-revenuecat-etag': '' },
  web: { 'x-platform': 'web', 'x-version': '1.63.1', accept: 'application/json', 'x-is-sandbox': 'false' },
} as const

export type Sdk = keyof typeof SDK_HEADERS
const PREFIX: Record<Sdk, string> = { ios: 'appl_', android: 'goog_', web: 'rcb_' }

interface SdkOptions {
  key?: string | null
  body?: unknown
  raw?: string
  headers?: Record<string, string>
}

export const ANONYMOUS = `$RCAnonymousID:${'0123456789abcdef'.repeat(2)}`
export const OTHER_ANONYMOUS = `$RCAnonymousID:${'fedcba9876543210'.repeat(2)}`

/** Calls as an SDK of the former vendor does. */
export function sdk(s: Stage, kind: Sdk) {
  const call = (method: string, path: string, { key, body, raw, headers = {} }: SdkOptions = {}): Promise<Answer> =>
    s.call(method, path, {
      key: key === undefined ? PREFIX[kind] + s.project.publicKey : key,
      ...(body !== undefined && { body }),
      ...(raw !== undefined && { raw }),
      headers: { ...SDK_HEADERS[kind], 'content-type': 'application/json', ...headers },
    })
  return {
    call,
    get: (path: string, options?: SdkOptions) => call('GET', path, options),
    post: (path: string, body: unknown, options?: SdkOptions) => call('POST', path, { ...options, body }),
    person: (id: string, options?: SdkOptions) => call('GET', `/v1/subscribers/${encodeURIComponent(id)}`, options),
  }
}

/** Changes the settings of the stage's project as an administrator. */
export async function setSdkDoor(s: Stage, change: Record<string, unknown>): Promise<Answer> {
  const answer = await staff(s).as('ADMIN').put('/sdk-door', change)
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

/** The code of a refusal of the other protocol. */
export const sdkRefusal = ({ status, body }: Answer): unknown[] => [status, body?.code]

export const testToken = (n: number): string =>
  `test_1795827284418_00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
