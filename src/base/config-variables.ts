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
  SVC_TLS: {
    shownDefault: '`off`',
    meaning:
      'Https of this server itself: `off`, `auto` with certificates for `SVC_DOMAINS`, or `files:CERTIFICATE,KEY` with the paths of PEM files, which are read again when they change. `--domain` stands for `auto` and is refused beside `files:`. With it, `SVC_HOST` is the address of the two ports below, and `SVC_PORT` listens on 127.0.0.1',
  },
  SVC_DOMAINS: {
    meaning:
      'The names of this server for `SVC_TLS=auto`, with commas between them; `--domain` wins. An IP address is a name too. The first is `PUBLIC_BASE_URL` when that is not set',
  },
  SVC_HTTPS_PORT: { default: 443, range: [0, 65_535], meaning: 'The port for https, unless `SVC_TLS` is `off`' },
  SVC_HTTP_PORT: {
    default: 80,
    range: [0, 65_535],
    meaning:
      'The port for http, unless `SVC_TLS` is `off`: it proves to the certificate authority who has the name, and sends browsers to https',
  },
  SVC_ACME_URL: {
    shownDefault: "Let's Encrypt",
    meaning: 'The directory of the certificate authority (ACME, RFC 8555)',
  },
  SVC_ACME_EMAIL: { meaning: 'The mail address that the certificate authority gets for its notices' },
  SVC_ACME_PROFILE: {
    shownDefault: 'the choice of the authority; `shortlived` for an IP address',
    meaning: 'The profile of certificates, as the authority names them',
  },
  SVC_ACME_CA: {
    meaning:
      'The path of a PEM file with a root that is trusted for the address in `SVC_ACME_URL`, for a private authority',
  },
  SVC_ACME_EAB: {
    meaning:
      'What binds the account at the certificate authority to a customer of it: `KID:HMAC`, for authorities that ask for it',
  },
  SVC_ACCEPT_CA_TERMS: {
    default: 'off',
    values: ['off', '1'],
    meaning: '`1`: the terms of the certificate authority are accepted, as with `--accept-ca-terms`',
  },
  SVC_TRUSTED_PROXIES: {
    default: 0,
    range: [0, 32],
    meaning: 'How many proxies in front of this server are believed in `X-Forwarded-For`',
  },
  SVC_IOS_EXTRA_ROOTS: {
    meaning:
      'The path of a PEM file with extra trusted roots, for Sandbox and Xcode only, never for Production. The certificate that Xcode saves for its local testing may be one of them; it signs for Xcode alone',
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
    meaning: 'The client id (`ca_…`) of the platform, test mode; with it people connect their accounts in the console',
  },
  SVC_PAYMENT_CONNECT_LIVE_CLIENT_ID: { meaning: 'As `SVC_PAYMENT_CONNECT_TEST_CLIENT_ID`, live mode' },
  SVC_PAYMENT_CONNECT_TEST_PUBLISHABLE_KEY: {
    meaning: 'The publishable key of the platform, test mode; with it funnels take payments for connected accounts',
  },
  SVC_PAYMENT_CONNECT_LIVE_PUBLISHABLE_KEY: { meaning: 'As `SVC_PAYMENT_CONNECT_TEST_PUBLISHABLE_KEY`, live mode' },
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
  SVC_ASSISTANT_PROVIDER: {
    meaning:
      'Who answers as the assistant in projects without a model of their own: `anthropic`, `openai`, or `compatible` for a server that speaks Chat Completions with tools',
  },
  SVC_ASSISTANT_KEY: { meaning: 'The key of that provider; needless for `compatible`' },
  SVC_ASSISTANT_MODEL: { meaning: 'The name of the model' },
  SVC_ASSISTANT_URL: {
    shownDefault: 'the address of the provider',
    meaning: 'The address of the server for `compatible`, which may be one of the own network',
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
    meaning: 'Requests that one user of the console may make in a minute; 0 for no limit',
  },
  SVC_CACHE_URL: {
    meaning:
      '`redis://HOST:PORT` or `rediss://…` (Redis, Valkey): rate limits, leases and marks of repeated notifications that several processes share; without it they are in memory and in the database',
  },
  SVC_OPEN_SIGNUP: {
    default: 'off',
    values: ['off', '1'],
    meaning: '`1`: anyone may make a console account; `off`: only the first user and invited people',
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
  SVC_DNS: {
    shownDefault: "the system's name servers",
    meaning:
      'The name servers that custom domains are checked at: `HOST:PORT`, several with commas between them; the host is an IP address',
  },
  SVC_PUBLIC_IPS: {
    shownDefault: 'the addresses of the host of `PUBLIC_BASE_URL`',
    meaning:
      'The IP addresses at which visitors reach this server, with commas between them; custom domains that cannot be an alias get these addresses',
  },
  SVC_RESERVED_HOSTS: {
    meaning:
      'Hostnames, with commas between them, that no project may have as its custom domain, neither themselves nor the names below them',
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
  SVC_CLOUD: {
    default: '0',
    values: ['0', '1'],
    meaning: '`1`: projects have plans with limits, for those who host svc for others',
  },
  SVC_BILLING_PLANS: {
    shownDefault: 'four plans',
    meaning:
      'With `SVC_CLOUD=1`: the plans FREE, INDIE, STUDIO and ENTERPRISE as JSON, in the form of `GET /dashboard/billing/plans`; each with a monthly amount may have the `priceId` of its price at the payment provider, and `formerPriceIds`',
  },
  SVC_BILLING_SECRET_KEY: {
    shownDefault: 'the built-in test store',
    meaning:
      'With `SVC_CLOUD=1`: the secret key of your own account at the payment provider, which charges your customers for their plans; `test` is the built-in test store',
  },
  SVC_BILLING_PUBLISHABLE_KEY: { meaning: 'The publishable key of that account, for the card form of the dashboard' },
  SVC_BILLING_WEBHOOK_SECRET: {
    meaning: 'The secret of that account with which events for `/billing/webhook` are signed',
  },
  SVC_MODE: {
    default: 'production',
    values: ['production', 'development'],
    meaning: '`development` is for work on svc itself',
  },
  SVC_TEST_CLOCK_OFFSET: {
    shownDefault: '0',
    meaning:
      'With `SVC_MODE=development`, for tests: by how many seconds the clock of this process is ahead of the time, or behind it when negative. Certificates and tokens of other machines keep the real time. In production the server does not start with it',
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
