import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { type AssistantConfig, readAssistant } from './config-assistant'
import { readClockOffset } from './config-clock'
import { type CloudConfig, readCloud } from './config-cloud'
import { type DomainConfig, readDomainConfig } from './config-domains'
import { type Env, Reader } from './config-reader'
import { readStorage, type StorageConfig } from './config-storage'
import { readTls, refuseSharedPorts, type TlsConfig, tlsBaseUrl } from './config-tls'
import { VARIABLES, type VariableName } from './config-variables'
import { parseRoots } from './lib/certificates'
import type { LogLevel } from './lib/log'

/**
 * The whole configuration of the process, read once and checked together. The names of durations and sizes contain
 * their unit.
 */
export interface Config {
  host: string
  port: number
  mode: 'production' | 'development'
  /** By how much tests move the clock of the process; 0 in production. */
  testClockOffsetMs: number
  dataDir: string
  database: DatabaseConfig
  /** Where files outside of the database are. */
  storage: StorageConfig
  /** 32 bytes, `file` = the key file in the data folder (made at first start), or `off`. */
  masterKey: Uint8Array | 'file' | 'off'
  publicBaseUrl: string | null
  /** How this server speaks https itself. */
  tls: TlsConfig
  trustedProxies: number
  /** PEM text of additional iOS roots. They are accepted only in the Sandbox and Xcode environments. */
  iosExtraRoots: string | null
  /** Addresses of the stores; null = the real ones. Tests use servers on loopback. */
  storeUrls: {
    ios: string | null
    iosConnect: string | null
    iosLookup: string | null
    android: string | null
    androidToken: string | null
    pubsub: string | null
    payment: string | null
    paymentConnect: string | null
  }
  /** Where the providers of integrations are; null = their real addresses. Tests use a server on loopback. */
  integrationsUrl: string | null
  /** Where the exchange rates of the European Central Bank are published: a folder or one file; null = not fetched. */
  ratesUrl: string | null
  /** The platform's own keys at the payment provider, for connected accounts; null = no keys for that mode. */
  paymentConnect: Readonly<Record<'test' | 'live', ConnectKeys | null>>
  /** Whether receipts of the built-in test store are created and accepted (Sandbox only). */
  isSimulatorOn: boolean
  /** When false, results of experiments are refused. */
  isAnalyticsOn: boolean
  /** The database of ClickHouse that figures are read from; null = the database itself. */
  analytics: AnalyticsConfig | null
  /** Requests per minute; 0 = no limit. */
  ratePerKey: number
  ratePerIp: number
  ratePerUser: number
  /** Redis or Valkey, which several processes share; null = none. Contains a password. */
  cacheUrl: string | null
  /** Whether anybody may make a dashboard account. */
  isSignupOpen: boolean
  /** Domains in lower case, whose users may administer the platform. */
  adminEmailDomains: readonly string[]
  /** How users sign in by another provider; null = not that one. */
  oauth: { google: OAuthClient | null; github: OAuthClient | null; oidc: OidcClient | null }
  /** Addresses of sign-in providers; null = the real ones. Tests use servers on loopback. */
  oauthUrls: { google: string | null; github: string | null }
  mail: {
    /** Contains a password; null = mail is not sent, only kept. */
    smtpUrl: string | null
    from: string | null
    /** The one provider that may report bounces, and its secret or public key; null = none. */
    webhook: MailWebhook | null
  }
  domains: DomainConfig
  /** Null = this deployment does not bill its projects. */
  cloud: CloudConfig | null
  /** The server's own model for the assistant; null = only projects have one. Contains a key. */
  assistant: AssistantConfig | null
  /** Whether addresses that users give may lead to this machine itself. */
  isLoopbackAllowed: boolean
  /** Subscribers that one client address may create in a minute with public keys; 0 = no limit. */
  rateNew: number
  /** Streams that one address may have open with public keys; 0 = no limit. */
  streamsPerIp: number
  /** For how long a connection without a request stays open. */
  keepAliveSeconds: number
  /** The most memory that kept answers take. */
  cacheBytes: number
  logLevel: LogLevel
  /** The address that the internal port listens on. */
  internalHost: string
  /** 0 = the internal port is not opened. */
  internalPort: number
}

export interface OAuthClient {
  id: string
  secret: string
}

export const MAIL_PROVIDERS = ['postmark', 'mailgun', 'sendgrid', 'hmac'] as const

export interface MailWebhook {
  provider: (typeof MAIL_PROVIDERS)[number]
  secret: string
}

export interface OidcClient extends OAuthClient {
  /** As it was given, to the letter: some issuers end in a slash. */
  issuer: string
  /** Whether an address counts as verified when the provider does not say whether it is. */
  isEmailTrusted: boolean
}

export interface ConnectKeys {
  secretKey: string
  webhookSecret: string
  /** With it people connect their accounts in the dashboard; null = only the project file names connected accounts. */
  clientId: string | null
  /** With it payment pages reach the provider from the browser; null = funnels of connected accounts take no payment. */
  publishableKey: string | null
}

export type DatabaseConfig =
  | { kind: 'file'; path: string }
  | { kind: 'remote'; url: string; authToken: string | null }
  | { kind: 'replica'; path: string; url: string; authToken: string | null }
  | { kind: 'postgres'; url: string; isPreparing: boolean; isListening: boolean }

/** A database of ClickHouse, which answers over HTTP. */
export interface AnalyticsConfig {
  origin: string
  database: string
  username: string
  password: string
}

/** Options of the command line, which override the environment. */
export interface ConfigFlags {
  host?: string | undefined
  port?: string | undefined
  data?: string | undefined
  /** The names that `serve` gets certificates for. */
  domains?: readonly string[]
  /** Whether the terms of the certificate authority are accepted. */
  areTermsAccepted?: boolean
}

/** Every fault of the configuration, one sentence each. The command line prints them and exits with 2. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'))
  }
}

/** Reads the configuration; throws a `ConfigError` with all faults at once. */
export function readConfig(env: Env, flags: ConfigFlags = {}): Config {
  const read = new Reader(env)
  const dataDir = resolve(flags.data ?? env.SVC_DATA_DIR ?? VARIABLES.SVC_DATA_DIR.default)
  const tls = readTls(read, flags)
  const publicBaseUrl = readBaseUrl(read) ?? tlsBaseUrl(tls)
  const [mode, isSimulatorOn] = [read.oneOf('SVC_MODE'), read.isOn('SVC_SIMULATOR')]
  const config: Config = {
    // With https of its own, the plain port is for this machine only.
    host: tls.mode === 'off' ? (tls.host ?? VARIABLES.SVC_HOST.default) : VARIABLES.SVC_HOST.default,
    port: read.integer('SVC_PORT', flags.port === undefined ? undefined : ['--port', flags.port]),
    mode,
    testClockOffsetMs: readClockOffset(read),
    dataDir,
    database: readDatabase(read, dataDir),
    storage: readStorage(read, dataDir),
    masterKey: readMasterKey(read),
    publicBaseUrl,
    tls,
    trustedProxies: read.integer('SVC_TRUSTED_PROXIES'),
    iosExtraRoots: readPemFile(read, 'SVC_IOS_EXTRA_ROOTS'),
    storeUrls: {
      ios: readUrl(read, 'SVC_IOS_API_URL'),
      iosConnect: readUrl(read, 'SVC_IOS_CONNECT_API_URL'),
      iosLookup: readUrl(read, 'SVC_IOS_LOOKUP_URL'),
      android: readUrl(read, 'SVC_ANDROID_API_URL'),
      androidToken: readUrl(read, 'SVC_ANDROID_TOKEN_URL'),
      pubsub: readUrl(read, 'SVC_PUBSUB_API_URL'),
      payment: readUrl(read, 'SVC_PAYMENT_API_URL'),
      paymentConnect: readUrl(read, 'SVC_PAYMENT_CONNECT_URL'),
    },
    integrationsUrl: readUrl(read, 'SVC_INTEGRATIONS_URL'),
    ratesUrl: read.text('SVC_FX_URL') === 'off' ? null : (readUrl(read, 'SVC_FX_URL') ?? PUBLISHED_RATES_URL),
    paymentConnect: { test: readConnectKeys(read, 'TEST'), live: readConnectKeys(read, 'LIVE') },
    isSimulatorOn,
    isAnalyticsOn: read.text('SVC_ANALYTICS_URL') !== 'off',
    analytics: readAnalytics(read),
    ratePerKey: read.integer('SVC_RATE_KEY'),
    ratePerIp: read.integer('SVC_RATE_IP'),
    ratePerUser: read.integer('SVC_RATE_USER'),
    cacheUrl: readSecretUrl(read, 'SVC_CACHE_URL', /^rediss?:$/, 'redis://HOST:PORT or rediss://HOST:PORT'),
    isSignupOpen: read.oneOf('SVC_OPEN_SIGNUP') === '1',
    adminEmailDomains: readDomains(read),
    oauth: { google: readOAuth(read, 'GOOGLE'), github: readOAuth(read, 'GITHUB'), oidc: readOidc(read) },
    oauthUrls: { google: readUrl(read, 'SVC_OAUTH_GOOGLE_URL'), github: readUrl(read, 'SVC_OAUTH_GITHUB_URL') },
    mail: {
      smtpUrl: readSecretUrl(read, 'SVC_SMTP_URL', /^smtps?:$/, 'smtp://HOST:PORT or smtps://HOST:PORT'),
      from: read.text('SVC_MAIL_FROM') ?? null,
      webhook: readMailWebhook(read),
    },
    domains: readDomainConfig(read),
    cloud: readCloud(read, { isSimulatorOn, mode, publicBaseUrl }),
    assistant: readAssistant(read),
    isLoopbackAllowed: read.oneOf('SVC_ALLOW_PRIVATE_TARGETS') === '1',
    rateNew: read.integer('SVC_RATE_NEW'),
    streamsPerIp: read.integer('SVC_STREAMS_PER_IP'),
    keepAliveSeconds: read.integer('SVC_KEEP_ALIVE_SECONDS'),
    cacheBytes: (read.integer('SVC_CACHE_MB') || defaultCacheMb(totalmem())) * MEGABYTE,
    logLevel: read.oneOf('SVC_LOG_LEVEL'),
    internalHost: read.text('SVC_INTERNAL_HOST') ?? VARIABLES.SVC_INTERNAL_HOST.default,
    internalPort: read.integer('SVC_INTERNAL_PORT'),
  }
  if (config.port !== 0 && config.port === config.internalPort && config.internalPort !== 0)
    read.fault('SVC_INTERNAL_PORT', String(config.internalPort), 'a port other than SVC_PORT, or 0 for none')
  refuseSharedPorts(read, config)
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return config
}

const PUBLISHED_RATES_URL = 'https://www.ecb.europa.eu/stats/eurofxref'

const MEGABYTE = 1024 * 1024

/** For kept answers, when nothing is set. A small machine needs its memory for the system's cache of the database. */
export const defaultCacheMb = (machineBytes: number): number =>
  Math.min(32, Math.max(4, Math.floor(machineBytes / 64 / MEGABYTE)))

const DATABASE_FORMS = 'file:PATH, libsql://HOST, http(s)://HOST or postgres://USER@HOST/NAME'

function readDatabase(read: Reader, dataDir: string): DatabaseConfig {
  const url = read.text('SVC_DATABASE_URL')
  const authToken = read.text('SVC_DATABASE_AUTH_TOKEN') ?? null
  const replica = read.text('SVC_DATABASE_REPLICA')
  const [isPreparing, isListening] = [read.isOn('SVC_DATABASE_PREPARE'), read.isOn('SVC_DATABASE_LISTEN')]
  if (url === undefined) return { kind: 'file', path: resolve(dataDir, 'svc.db') }
  if (/^file:./.test(url)) return { kind: 'file', path: resolve(url.replace(/^file:(\/\/(?=\/))?/, '')) }
  if (/^postgres(ql)?:\/\/./.test(url)) return { kind: 'postgres', url, isPreparing, isListening }
  if (!/^(libsql|https?|wss?):\/\/./.test(url)) read.secretFault('SVC_DATABASE_URL', DATABASE_FORMS)
  if (replica !== undefined) return { kind: 'replica', path: resolve(replica.replace(/^file:/, '')), url, authToken }
  return { kind: 'remote', url, authToken }
}

function readMasterKey(read: Reader): Config['masterKey'] {
  const given = read.text('SVC_MASTER_KEY')
  if (given === undefined) return 'file'
  if (given === 'off') return 'off'
  const key = Buffer.from(given, 'base64')
  if (key.length === 32) return key
  read.secretFault(
    'SVC_MASTER_KEY',
    '32 bytes in base64 (44 characters; make one with: openssl rand -base64 32), or off',
  )
  return 'off'
}

function readBaseUrl(read: Reader): string | null {
  const given = read.text('PUBLIC_BASE_URL')
  if (given === undefined) return null
  const url = URL.parse(given)
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isUsable) read.fault('PUBLIC_BASE_URL', given, 'an http(s) address without query or fragment')
  return given.replace(/\/+$/, '')
}

function readUrl(read: Reader, name: VariableName): string | null {
  const given = read.text(name)
  if (given === undefined) return null
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol)) read.fault(name, given, 'an http(s) address')
  return given.replace(/\/+$/, '')
}

function readConnectKeys(read: Reader, mode: 'TEST' | 'LIVE'): ConnectKeys | null {
  const keyName = `SVC_PAYMENT_CONNECT_${mode}_KEY` as const
  const secretName = `SVC_PAYMENT_CONNECT_${mode}_WEBHOOK_SECRET` as const
  const secretKey = read.text(keyName)
  const webhookSecret = read.text(secretName)
  const clientId = read.text(`SVC_PAYMENT_CONNECT_${mode}_CLIENT_ID`) ?? null
  const publishableKey = read.text(`SVC_PAYMENT_CONNECT_${mode}_PUBLISHABLE_KEY`) ?? null
  if (secretKey !== undefined && webhookSecret !== undefined)
    return { secretKey, webhookSecret, clientId, publishableKey }
  if (clientId !== null) read.secretFault(`SVC_PAYMENT_CONNECT_${mode}_CLIENT_ID`, `given together with ${keyName}`)
  if (secretKey !== undefined) read.secretFault(keyName, `given together with ${secretName}`)
  if (webhookSecret !== undefined) read.secretFault(secretName, `given together with ${keyName}`)
  return null
}

/** An address that contains a password, so its value is not repeated. */
function readSecretUrl(read: Reader, name: VariableName, protocol: RegExp, accepted: string): string | null {
  const given = read.text(name)
  if (given === undefined) return null
  if (!protocol.test(URL.parse(given)?.protocol ?? '')) read.secretFault(name, accepted)
  return given
}

const ANALYTICS_FORM = 'off, or an address of ClickHouse such as https://USER:PASSWORD@HOST:8123/DATABASE'

/** The address contains a password, so its value is not repeated. */
function readAnalytics(read: Reader): AnalyticsConfig | null {
  const given = read.text('SVC_ANALYTICS_URL')
  if (given === undefined || given === 'off') return null
  const url = URL.parse(given)
  const [, database = ''] = /^\/([A-Za-z_]\w{0,100})\/?$/.exec(url?.pathname ?? '') ?? []
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && database !== '' && !url.search && !url.hash
  const [username, password] = [decoded(url?.username ?? ''), decoded(url?.password ?? '')]
  if (!isUsable || username === null || password === null) {
    read.secretFault('SVC_ANALYTICS_URL', ANALYTICS_FORM)
    return null
  }
  return { origin: url.origin, database, username: username || 'default', password }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function readDomains(read: Reader): string[] {
  const given = read.text('SVC_ADMIN_EMAIL_DOMAINS') ?? ''
  const domains = given
    .toLowerCase()
    .split(',')
    .map((domain) => domain.trim())
  const named = domains.filter((domain) => domain !== '')
  if (!named.every((domain) => /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain)))
    read.fault('SVC_ADMIN_EMAIL_DOMAINS', given, 'domains such as example.com, with commas between them')
  return named
}

function readOAuth(read: Reader, provider: 'GOOGLE' | 'GITHUB' | 'OIDC'): OAuthClient | null {
  const [idName, secretName] = [`SVC_OAUTH_${provider}_ID`, `SVC_OAUTH_${provider}_SECRET`] as const
  const id = read.text(idName)
  const secret = read.text(secretName)
  if (id !== undefined && secret !== undefined) return { id, secret }
  if (id !== undefined) read.secretFault(idName, `given together with ${secretName}`)
  if (secret !== undefined) read.secretFault(secretName, `given together with ${idName}`)
  return null
}

function readOidc(read: Reader): OidcClient | null {
  const issuer = readIssuer(read)
  const client = readOAuth(read, 'OIDC')
  const isEmailTrusted = read.isOn('SVC_OAUTH_OIDC_TRUST_EMAIL')
  if (issuer !== null && client) return { ...client, issuer, isEmailTrusted }
  if (issuer !== null) read.secretFault('SVC_OAUTH_OIDC_ISSUER', 'given together with SVC_OAUTH_OIDC_ID and _SECRET')
  if (client) read.secretFault('SVC_OAUTH_OIDC_ID', 'given together with SVC_OAUTH_OIDC_ISSUER')
  return null
}

/** Issuers are compared to the letter (OpenID Connect Discovery 1.0, 4.3), so nothing is taken off. */
function readIssuer(read: Reader): string | null {
  const given = read.text('SVC_OAUTH_OIDC_ISSUER')
  if (given === undefined) return null
  const url = URL.parse(given)
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isUsable) read.fault('SVC_OAUTH_OIDC_ISSUER', given, 'an http(s) address without query or fragment')
  return given
}

function readMailWebhook(read: Reader): MailWebhook | null {
  const given = read.text('SVC_MAIL_WEBHOOK_SECRET')
  if (given === undefined) return null
  const [, name, secret = ''] = /^([a-z]+):(\S{16,})$/.exec(given) ?? []
  const provider = MAIL_PROVIDERS.find((one) => one === name)
  if (provider) return { provider, secret }
  const accepted = `PROVIDER:SECRET with one of ${MAIL_PROVIDERS.join(', ')} and at least 16 characters`
  read.secretFault('SVC_MAIL_WEBHOOK_SECRET', accepted)
  return null
}

function readPemFile(read: Reader, name: VariableName): string | null {
  const path = read.text(name)
  if (path === undefined) return null
  try {
    const text = readFileSync(path, 'utf8')
    if (parseRoots(text).ok) return text
  } catch {
    // The error is reported below, with the other faults.
  }
  read.fault(name, path, 'the path of a readable PEM file with certificates')
  return null
}
