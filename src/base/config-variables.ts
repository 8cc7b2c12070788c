/**
 * Every environment variable that svc reads: its default, the values it accepts, and its meaning. `config.ts` reads no
 * other, and the configuration page of the guide shows this table. Code in the texts is between backticks.
 */
export const VARIABLES = {
  SVC_HOST: { default: '127.0.0.1', meaning: 'The address on which `serve` listens; `--host` wins' },
  SVC_PORT: { default: 3000, range: [0, 65_535], meaning: 'The port on which `serve` listens; `--port` wins' },
  SVC_DATA_DIR: { default: './data', meaning: 'The folder of the database and of the key file; `--data` wins' },
  SVC_DATABASE_URL: {
    shownDefault: '`file:$SVC_DATA_DIR/svc.db`',
    meaning:
      'The database: `file:PATH`, `libsql://HOST` or `https://HOST` (Turso, sqld), or `postgres://USER@HOST/NAME`',
  },
  SVC_DATABASE_AUTH_TOKEN: { meaning: 'The token for a libSQL server' },
  SVC_DATABASE_REPLICA: { meaning: 'The path of a local replica of the libSQL server, for fast reads' },
  SVC_DATABASE_PREPARE: {
    default: 'on',
    values: ['on', 'off'],
    meaning:
      '`off`: no prepared statements on PostgreSQL, for a pooler in transaction mode that cannot keep them (PgBouncer before 1.21)',
  },
  SVC_DATABASE_LISTEN: {
    default: 'on',
    values: ['on', 'off'],
    meaning:
      '`off`: no `LISTEN` on PostgreSQL, for a pooler in transaction mode; no answers are then kept in memory, so reads are slower',
  },
  SVC_STORAGE_URL: {
    shownDefault: '`file:$SVC_DATA_DIR/blobs`',
    meaning:
      'Where uploads and results for download are kept: `file:FOLDER`, or `s3://BUCKET/PREFIX` with the `AWS_` variables below; several servers on one database need a bucket. `off`: nothing can be uploaded',
  },
  AWS_ACCESS_KEY_ID: { meaning: 'The access key of the bucket in `SVC_STORAGE_URL`' },
  AWS_SECRET_ACCESS_KEY: { meaning: 'Its secret' },
  AWS_SESSION_TOKEN: { meaning: 'Its session token, where the access key is a temporary one' },
  AWS_REGION: { shownDefault: '`us-east-1`', meaning: 'The region of the bucket in `SVC_STORAGE_URL`' },
  AWS_ENDPOINT_URL: {
    shownDefault: 'Amazon S3 in that region',
    meaning: 'The http(s) address of another service that speaks the protocol of S3',
  },
  SVC_MASTER_KEY: {
    shownDefault: 'the file `master.key` (mode 0600), made at the first start',
    meaning: '32 bytes in base64, with which stored store credentials are encrypted; `off` for none',
  },
  PUBLIC_BASE_URL: { meaning: 'The public https address of this server' },
  SVC_TRUSTED_PROXIES: {
    default: 0,
    range: [0, 32],
    meaning: 'How many proxies in front of this server are believed in `X-Forwarded-For`',
  },
  SVC_IOS_EXTRA_ROOTS: {
    meaning: 'The path of a PEM file with extra trusted roots, for Sandbox and Xcode only, never for Production',
  },
  SVC_SIMULATOR: {
    default: 'on',
    values: ['on', 'off'],
    meaning: '`off`: the built-in test stores neither sign nor are believed',
  },
  SVC_ANALYTICS_URL: {
    shownDefault: 'the same database',
    meaning:
      '`http(s)://USER:PASSWORD@HOST:8123/DATABASE`: metrics, charts and SQL queries read from this ClickHouse database, to which the rows are copied; `off`: metrics, charts, SQL queries and results of experiments are refused (`ANALYTICS_UNAVAILABLE`)',
  },
  SVC_PAYMENT_CONNECT_TEST_KEY: {
    meaning:
      "The platform's own secret key at the payment provider, test mode; needed only where projects sell through connected accounts",
  },
  SVC_PAYMENT_CONNECT_TEST_WEBHOOK_SECRET: { meaning: 'The secret of its Connect webhook, test mode' },
  SVC_PAYMENT_CONNECT_LIVE_KEY: { meaning: 'As `SVC_PAYMENT_CONNECT_TEST_KEY`, live mode' },
  SVC_PAYMENT_CONNECT_LIVE_WEBHOOK_SECRET: { meaning: 'The secret of its Connect webhook, live mode' },
  SVC_PAYMENT_CONNECT_TEST_CLIENT_ID: {
    meaning:
      'The client id (`ca_…`) of the platform, test mode; with it people connect their accounts in the dashboard',
  },
  SVC_PAYMENT_CONNECT_LIVE_CLIENT_ID: { meaning: 'As `SVC_PAYMENT_CONNECT_TEST_CLIENT_ID`, live mode' },
  SVC_IOS_API_URL: { shownDefault: 'the real address', meaning: 'Where the App Store is; only tests change this' },
  SVC_IOS_CONNECT_API_URL: {
    shownDefault: 'the real address',
    meaning: 'Where App Store Connect is; only tests change this',
  },
  SVC_IOS_LOOKUP_URL: {
    shownDefault: 'the real address',
    meaning: 'Where apps are looked up by their bundle id; only tests change this',
  },
  SVC_INTEGRATIONS_URL: {
    shownDefault: 'the real addresses',
    meaning:
      'Where the providers of integrations are, each below a path of its name in lower case; only tests change this',
  },
  SVC_ANDROID_API_URL: { shownDefault: 'the real address', meaning: 'Where Google Play is; only tests change this' },
  SVC_ANDROID_TOKEN_URL: {
    shownDefault: 'the real address',
    meaning: 'Where Google gives access tokens; only tests change this',
  },
  SVC_PUBSUB_API_URL: { shownDefault: 'the real address', meaning: 'Where Google Pub/Sub is; only tests change this' },
  SVC_PAYMENT_API_URL: {
    shownDefault: 'the real address',
    meaning: 'Where the payment provider is; only tests change this',
  },
  SVC_PAYMENT_CONNECT_URL: {
    shownDefault: 'the real address',
    meaning: 'Where people connect their accounts at the payment provider; only tests change this',
  },
  SVC_FX_URL: {
    shownDefault: "the European Central Bank's published rates",
    meaning:
      'Where daily exchange rates come from: the folder or one file of a copy of these rates, on the public internet or on this machine; `off` = only what was loaded (`svc rates load`)',
  },
  SVC_RATE_KEY: {
    default: 500,
    range: [0, 10_000_000],
    meaning:
      'Requests that each half of an API key may make in a minute; 0 for no limit; `svc key update` sets it for one key',
  },
  SVC_RATE_IP: {
    default: 1000,
    range: [0, 10_000_000],
    meaning: 'Requests that one address may make in a minute; 0 for no limit',
  },
  SVC_RATE_NEW: {
    default: 120,
    range: [0, 10_000_000],
    meaning: 'Subscribers that one address may create in a minute with public keys; 0 for no limit',
  },
  SVC_STREAMS_PER_IP: {
    default: 200,
    range: [0, 10_000_000],
    meaning: 'Configuration streams that one address may have open with public keys; 0 for no limit',
  },
  SVC_KEEP_ALIVE_SECONDS: {
    default: 75,
    range: [30, 255],
    meaning:
      'For how long a connection stays open between two requests. Longer than the proxy or balancer in front keeps an unused one (usually 60 s), which then never sends into one that is just being closed',
  },
  SVC_CACHE_MB: {
    default: 0,
    range: [0, 4096],
    meaning:
      'Megabytes of memory for kept answers; 0 for a 64th of the memory of the machine, at least 4 and at most 32',
  },
  SVC_RATE_USER: {
    default: 300,
    range: [0, 10_000_000],
    meaning: 'Requests that one user of the dashboard may make in a minute; 0 for no limit',
  },
  SVC_CACHE_URL: {
    meaning:
      '`redis://HOST:PORT` or `rediss://…` (Redis, Valkey): rate limits, leases and marks of repeated notifications that several processes share; without it they are in memory and in the database',
  },
  SVC_OPEN_SIGNUP: {
    default: 'off',
    values: ['off', '1'],
    meaning: '`1`: anyone may make a dashboard account; `off`: only the first user and invited people',
  },
  SVC_ADMIN_EMAIL_DOMAINS: {
    meaning: 'Domains of mail addresses, with commas between them, whose users may administer the platform (`/admin`)',
  },
  SVC_OAUTH_GOOGLE_ID: { meaning: 'Sign-in by Google: the client id' },
  SVC_OAUTH_GOOGLE_SECRET: { meaning: 'Sign-in by Google: the client secret' },
  SVC_OAUTH_GITHUB_ID: { meaning: 'Sign-in by GitHub: the client id' },
  SVC_OAUTH_GITHUB_SECRET: { meaning: 'Sign-in by GitHub: the client secret' },
  SVC_OAUTH_OIDC_ISSUER: {
    meaning:
      'Sign-in by any OpenID Connect provider: its issuer address, to the letter as its metadata name it, with or without a slash at the end',
  },
  SVC_OAUTH_OIDC_ID: { meaning: 'Sign-in by that provider: the client id' },
  SVC_OAUTH_OIDC_SECRET: { meaning: 'Sign-in by that provider: the client secret' },
  SVC_OAUTH_OIDC_TRUST_EMAIL: {
    default: 'off',
    values: ['on', 'off'],
    meaning:
      'Whether an address counts as verified when that provider does not say whether it is. Only for a provider where people cannot choose their address themselves: with `on`, whoever may enter an address there gets into its account here',
  },
  SVC_OAUTH_GOOGLE_URL: { shownDefault: 'the real address', meaning: 'Where Google is; only tests change this' },
  SVC_OAUTH_GITHUB_URL: { shownDefault: 'the real address', meaning: 'Where GitHub is; only tests change this' },
  SVC_SMTP_URL: {
    meaning:
      'Where mail is sent: `smtp://USER:PASSWORD@HOST:587` or `smtps://…`; without it mail stays in the outbox (`svc outbox`) and in the log',
  },
  SVC_MAIL_FROM: {
    shownDefault: '`svc@` and the host of `PUBLIC_BASE_URL`',
    meaning: 'The address that mail is sent from, such as `Example <svc@example.com>`',
  },
  SVC_MAIL_WEBHOOK_SECRET: {
    meaning:
      'Who reports bounced mail to `/webhooks/mail/PROVIDER`, and what proves it: `postmark:PASSWORD`, `mailgun:SIGNING_KEY`, `sendgrid:PUBLIC_KEY` or `hmac:SECRET`',
  },
  SVC_INTERNAL_PORT: {
    default: 3001,
    range: [0, 65_535],
    meaning: 'The port of `/metrics`; 0 for none',
  },
  SVC_INTERNAL_HOST: {
    default: '127.0.0.1',
    meaning:
      'The address that `/metrics` listens on. In a container `0.0.0.0`, so that a collector outside reaches it; publish the port only to that collector, because nobody signs in there',
  },
  SVC_ALLOW_PRIVATE_TARGETS: {
    default: 'off',
    values: ['off', '1'],
    meaning: '`1`: addresses that users give may be on this machine itself, also over http; only tests change this',
  },
  SVC_LOG_LEVEL: {
    default: 'info',
    values: ['debug', 'info', 'warn', 'error', 'off'],
    meaning: 'The least level of what is logged',
  },
  SVC_MODE: {
    default: 'production',
    values: ['production', 'development'],
    meaning: '`development` is for work on svc itself',
  },
} as const satisfies Record<string, Variable>

/** One environment variable. */
export interface Variable {
  default?: string | number
  /** The default in words, where it is not a plain value. */
  shownDefault?: string
  /** The smallest and the largest value of a number. */
  range?: readonly [least: number, greatest: number]
  /** The only accepted texts. */
  values?: readonly string[]
  meaning: string
}

export type VariableName = keyof typeof VARIABLES

type Having<Member> = { [Name in VariableName]: (typeof VARIABLES)[Name] extends Member ? Name : never }[VariableName]

/** The variables whose value is a whole number. */
export type IntegerName = Having<{ default: number; range: readonly [number, number] }>

/** The variables that accept one of a few texts and have a default. */
export type ChoiceName = Having<{ default: string; values: readonly string[] }>

export type ChoiceOf<Name extends ChoiceName> = (typeof VARIABLES)[Name]['values'][number]
