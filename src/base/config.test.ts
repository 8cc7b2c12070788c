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
    testClockOffsetMs: 0,
    dataDir: '/data',
    database: { kind: 'file', path: '/data/svc.db' },
    storage: { kind: 'folder', path: '/data/blobs' },
    masterKey: 'file',
    publicBaseUrl: null,
    tls: {
      ...{ mode: 'off', names: [], files: null, httpsPort: 443, httpPort: 80, host: null },
      acme: {
        ...{ url: 'https://acme-v02.api.letsencrypt.org/directory', email: null, profile: null, ca: null, eab: null },
        areTermsAccepted: false,
      },
    },
    trustedProxies: 0,
    keepAliveSeconds: 75,
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
    assistant: null,
    ratePerKey: 500,
    ratePerIp: 1000,
    ratePerUser: 300,
    cacheUrl: null,
    isSignupOpen: false,
    adminEmailDomains: [],
    oauth: { google: null, github: null, oidc: null },
    cloud: null,
    domains: { nameServers: [], publicIps: [], reservedHosts: [] },
    mail: { smtpUrl: null, from: null, webhook: null },
    oauthUrls: { google: null, github: null },
    isLoopbackAllowed: false,
    rateNew: 120,
    streamsPerIp: 200,
    cacheBytes: expect.any(Number),
    logLevel: 'info',
    internalHost: '127.0.0.1',
    internalPort: 3001,
  })
})

test('exchange rates come from where is set, or from nowhere', () => {
  expect(readConfig({ SVC_FX_URL: 'off' }).ratesUrl).toBeNull()
  expect(readConfig({ SVC_FX_URL: 'http://127.0.0.1:9/rates/' }).ratesUrl).toBe('http://127.0.0.1:9/rates')
  for (const given of ['ftp://rates.example', 'OFF', 'rates.xml'])
    expect(() => readConfig({ SVC_FX_URL: given })).toThrow(`SVC_FX_URL is "${given}"; it must be an http(s) address`)
})

const S3 = { SVC_STORAGE_URL: 's3://my-bucket/svc/', AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'very-secret' }

test('files are kept in a folder, or in a bucket with the usual variables', () => {
  expect(readConfig({ SVC_STORAGE_URL: 'file:///var/blobs' }).storage).toEqual({ kind: 'folder', path: '/var/blobs' })
  expect(readConfig({ SVC_STORAGE_URL: 'file:/var/blobs' }).storage).toEqual({ kind: 'folder', path: '/var/blobs' })
  expect(readConfig({ SVC_STORAGE_URL: 'off' }).storage).toEqual({ kind: 'none' })
  const keys = { accessKeyId: 'AK', secretAccessKey: 'very-secret', sessionToken: null }
  const bucket = { kind: 's3', bucket: 'my-bucket', prefix: 'svc', region: 'us-east-1', ...keys } as const
  expect(readConfig(S3).storage).toEqual({ ...bucket, endpoint: 'https://s3.us-east-1.amazonaws.com' })
  const more = { AWS_REGION: 'auto', AWS_ENDPOINT_URL: 'https://minio.example', AWS_SESSION_TOKEN: 'token' }
  expect(readConfig({ ...S3, ...more }).storage).toEqual({
    ...bucket,
    ...{ region: 'auto', endpoint: 'https://minio.example', sessionToken: 'token' },
  })
})

test('a place for files that cannot be one is refused, and no secret is repeated', () => {
  for (const given of ['blobs', '/var/blobs', 'http://bucket', 's3://', 's3://A', 's3://bucket/../x', 'file:'])
    expect(faultsOf({ ...S3, SVC_STORAGE_URL: given })).toEqual([
      expect.stringContaining(`SVC_STORAGE_URL is "${given}"; it must be`),
    ])
  expect(faultsOf({ SVC_STORAGE_URL: 's3://bucket', AWS_SECRET_ACCESS_KEY: 'very-secret' })).toEqual([
    'SVC_STORAGE_URL is "s3://bucket"; it must be given together with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ])
  const wrong = faultsOf({ ...S3, AWS_REGION: 'a/b', AWS_ENDPOINT_URL: 'ftp://a' })
  expect(wrong.map((fault) => fault.split(' ')[0])).toEqual(['AWS_REGION', 'AWS_ENDPOINT_URL'])
  expect(wrong.join()).not.toContain('very-secret')
})

test('the variables of a bucket are not checked where no bucket is used', () => {
  expect(faultsOf({ AWS_REGION: 'a/b', AWS_ENDPOINT_URL: 'x', AWS_ACCESS_KEY_ID: 'AK' })).toEqual([])
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

test('what custom domains are checked with is a list, and each wrong entry is a fault', () => {
  const env = {
    SVC_DNS: '9.9.9.9, [2620:FE::fe]:53,127.0.0.1:5353',
    SVC_PUBLIC_IPS: '203.0.113.9,2001:db8::9',
    SVC_RESERVED_HOSTS: 'Svc.Example.com, internal',
  }
  expect(readConfig(env).domains).toEqual({
    nameServers: ['9.9.9.9', '[2620:fe::fe]:53', '127.0.0.1:5353'],
    publicIps: ['203.0.113.9', '2001:db8::9'],
    reservedHosts: ['svc.example.com', 'internal'],
  })
  const wrong: [name: string, values: string[]][] = [
    ['SVC_DNS', ['dns.example.com', '127.0.0.1:70000', '127.0.0.1:x', '9.9.9.9 8.8.8.8']],
    ['SVC_PUBLIC_IPS', ['svc.example.com', '203.0.113.9:443', '203.0.113.0/24']],
    ['SVC_RESERVED_HOSTS', ['*.example.com', 'https://example.com', 'a_b.example']],
  ]
  for (const [name, values] of wrong)
    for (const value of values) expect(faultsOf({ [name]: value })).toEqual([expect.stringContaining(`${name} is`)])
})

test('a moved clock is for development only, in whole seconds', () => {
  const offset = (SVC_TEST_CLOCK_OFFSET: string) =>
    readConfig({ SVC_MODE: 'development', SVC_TEST_CLOCK_OFFSET }).testClockOffsetMs
  expect([offset('86400'), offset('-60'), offset('+5'), offset('0')]).toEqual([86_400_000, -60_000, 5000, 0])
  for (const given of ['1d', '1.5', '3000000001', '-3000000001', '99999999999'])
    expect(faultsOf({ SVC_MODE: 'development', SVC_TEST_CLOCK_OFFSET: given })).toEqual([
      `SVC_TEST_CLOCK_OFFSET is "${given}"; it must be a whole number of seconds, at most 3000000000 either way.`,
    ])
  for (const mode of [{}, { SVC_MODE: 'production' }])
    expect(faultsOf({ ...mode, SVC_TEST_CLOCK_OFFSET: '60' })).toEqual([
      'SVC_TEST_CLOCK_OFFSET is "60"; it must be unset, unless SVC_MODE is development.',
    ])
})
