import { beforeAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settle } from '../cases/settle'
import { createStandIn } from '../cases/stand-in'
import { API_KEY } from './browser.fixtures'
import type * as Module from './index'
import type { Options } from './model'

const options: Options = { apiKey: API_KEY, baseUrl: 'https://svc.example' }
let file = ''
let copies = 0

beforeAll(async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'svc-core-'))
  await Bun.build({ entrypoints: [join(import.meta.dir, 'index.ts')], outdir })
  file = join(outdir, 'index.js')
})

/** The module as an app loads it: without a client. */
const load = async (): Promise<typeof Module> => {
  copies += 1
  return (await import(`${file}?copy=${copies}`)) as typeof Module
}

const METHODS = [
  ...[
    'currentUser',
    'identify',
    'logOut',
    'entitlements',
    'isEntitled',
    'offerings',
    'placement',
    'flag',
    'experiment',
  ],
  ...['loadFallbackPlacements', 'expose', 'refreshConfig', 'watchConfig', 'balances', 'setAttributes', 'track'],
  ...['flushAttributes', 'postReceipt', 'dehydrate', 'hydrate', 'shutdown'],
] as const

test('every call before configure throws at once and says so', async () => {
  const svc = await load()
  for (const name of METHODS) {
    const call = svc[name as 'currentUser']
    expect(call, name).toThrow(expect.objectContaining({ kind: 'InvalidArgument', message: 'call configure first' }))
  }
})

test('claims before configure wait for it, at most ten, in their order', async () => {
  const svc = await load()
  const { fetch, waiting } = createStandIn()
  const claims = Array.from({ length: 12 }, (_, at) =>
    svc.claimFunnelUrl(`https://x.co/funnels/open/token_${at}`).catch((error) => error.kind),
  )
  expect(await Promise.all(claims.slice(10))).toEqual(['InvalidArgument', 'InvalidArgument'])
  const claimed: unknown[] = []
  svc.onFunnelClaim((claim) => void claimed.push(claim))
  await svc.configure({ ...options, fetch })
  for (let at = 0; at < 1000 && waiting.length < 10; at++) await Bun.sleep(1)
  expect(waiting.map(({ body }) => (body as { token: string }).token)).toEqual(
    Array.from({ length: 10 }, (_, at) => `token_${at}`),
  )
  for (const one of waiting) one.answer({ data: { subscriber_id: 'sub_1', funnel_answers: {} } })
  await Promise.all(claims)
  expect(claimed).toHaveLength(10)
})

test('listeners before configure hear the client that is configured', async () => {
  const svc = await load()
  const told: string[] = []
  svc.on(({ type }) => void told.push(type))
  await svc.configure({ ...options, fetch: createStandIn().fetch })
  void svc.identify('user_1')
  await settle()
  expect(told).toEqual(['IDENTITY_CHANGED'])
})

test('the functions of the module act on the client that was configured last', async () => {
  const svc = await load()
  const { fetch } = createStandIn()
  const first = await svc.configure({ ...options, fetch })
  const second = await svc.configure({ ...options, fetch })
  void svc.identify('user_1')
  await settle()
  expect([first.currentUser().appUserId, second.currentUser().appUserId]).toEqual([null, 'user_1'])
})

test('a call while configure runs waits for it, and a flag gives its default', async () => {
  const svc = await load()
  const { fetch, waiting } = createStandIn()
  const configured = svc.configure({ ...options, fetch })
  const read = svc.entitlements()
  expect(svc.flag('a', 'b')).toBe('b')
  await configured
  await settle()
  waiting[0]?.answer({ data: { entitlements: {} } })
  expect((await read).value).toEqual([])
})

const BAD: [name: string, change: Partial<Options>, words: string][] = [
  ['a secret key', { apiKey: 'svc_sec_x' }, 'public key'],
  ['an address without https', { baseUrl: 'http://svc.example' }, 'https'],
  ['an address that only begins like localhost', { baseUrl: 'http://localhost.evil.example' }, 'https'],
  ['an unknown log level', { logLevel: 'loud' as 'off' }, 'off,error,warn'],
]

for (const [name, change, words] of BAD)
  test(`configure refuses ${name}`, async () => {
    const svc = await load()
    const error = await svc.configure({ ...options, ...change }).catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: 'InvalidArgument', message: expect.stringContaining(words) })
    expect(svc.currentUser).toThrow('call configure first')
  })

test('http is allowed on localhost, and a slash at the end of the address changes nothing', async () => {
  const svc = await load()
  const urls: string[] = []
  const fetch = async (url: string) => {
    urls.push(url)
    throw new TypeError('fetch failed')
  }
  const client = await svc.configure({ ...options, baseUrl: 'http://localhost:3000/', fetch })
  void client.offerings().catch(() => {})
  await settle()
  expect(urls).toEqual(['http://localhost:3000/v1/offerings'])
  client.shutdown()
})
