import { expect, test } from 'bun:test'
import { ConfigError, defaultCacheMb, readConfig } from './config'
import { VARIABLES, type Variable } from './config-variables'

const ALL = Object.entries<Variable>(VARIABLES)

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('every variable of the table is read, and no other', () => {
  const read = new Set<string>()
  const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void read.add(String(name)) })
  readConfig(env)
  expect([...read].sort()).toEqual(Object.keys(VARIABLES).sort())
})

test('the defaults are those of the table', () => {
  expect(readConfig({ SVC_DATA_DIR: '/data' })).toEqual({
    host: '127.0.0.1',
    port: 3000,
    mode: 'production',
    dataDir: '/data',
    database: { kind: 'file', path: '/data/svc.db' },
    masterKey: 'file',
    publicBaseUrl: null,
    trustedProxies: 0,
    iosExtraRoots: null,
    storeUrls: {
      ios: null,
      iosConnect: null,
      iosLookup: null,
      android: null,
      androidToken: null,
      pubsub: null,
      payment: null,
      paymentConnect: null,
    },
    integrationsUrl: null,
    ratesUrl: 'https://www.ecb.europa.eu/stats/eurofxref',
    paymentConnect: { test: null, live: null },
    isSimulatorOn: true,
    isAnalyticsOn: true,
    analytics: null,
    ratePerKey: 500,
    ratePerIp: 1000,
    ratePerUser: 300,
    cacheUrl: null,
    isSignupOpen: false,
    adminEmailDomains: [],
    oauth: { google: null, github: null, oidc: null },
    mail: { smtpUrl: null, from: null, webhook: null },
    oauthUrls: { google: null, github: null },
    isLoopbackAllowed: false,
    rateNew: 120,
    streamsPerIp: 200,
    cacheBytes: expect.any(Number),
    logLevel: 'info',
    internalPort: 3001,
  })
})

test('exchange rates come from where is set, or from nowhere', () => {
  expect(readConfig({ SVC_FX_URL: 'off' }).ratesUrl).toBeNull()
  expect(readConfig({ SVC_FX_URL: 'http://127.0.0.1:9/rates/' }).ratesUrl).toBe('http://127.0.0.1:9/rates')
  for (const given of ['ftp://rates.example', 'OFF', 'rates.xml'])
    expect(() => readConfig({ SVC_FX_URL: given })).toThrow(`SVC_FX_URL is "${given}"; it must be an http(s) address`)
})

test('kept answers take a 64th of the memory of the machine, within bounds, or what is set', () => {
  const GB = 1024 ** 3
  expect([GB / 8, GB / 2, GB, 2 * GB, 64 * GB].map(defaultCacheMb)).toEqual([4, 8, 16, 32, 32])
  expect(readConfig({ SVC_CACHE_MB: '7' }).cacheBytes).toBe(7 * 1024 * 1024)
})

for (const [name, { range, values }] of ALL) {
  if (range)
    test(`${name} takes its range and nothing beside it`, () => {
      const [least, greatest] = range
      for (const value of [least + 1, greatest - 1]) expect(faultsOf({ [name]: String(value) })).toEqual([])
      for (const value of [String(greatest + 1), '-1', '1.5', 'x'])
        expect(faultsOf({ [name]: value })).toEqual([
          `${name} is "${value}"; it must be a whole number from ${least} to ${greatest}.`,
        ])
    })
  if (values)
    test(`${name} takes its values and no other`, () => {
      for (const value of values) expect(faultsOf({ [name]: value })).toEqual([])
      expect(faultsOf({ [name]: 'x' })).toEqual([`${name} is "x"; it must be one of ${values.join(', ')}.`])
    })
}
