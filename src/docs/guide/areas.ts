/** One folder of `src`. */
export interface Area {
  name: string
  /** What it is for, as a sentence of Markdown. */
  purpose: string
  /** The folders inside it, each with what it is about. Most of them are slices. */
  folders: Readonly<Record<string, string>>
}

/**
 * The folders of `src` from the bottom to the top. A file imports only from its own area and from areas below it. The
 * guide shows this list, and `test/tidy.test.ts` fails when a folder is missing from it or no longer exists.
 */
export const AREAS: readonly Area[] = [
  {
    name: 'core',
    purpose: 'Pure code that the server and the console share: no database, no clock, nothing of Bun or of a browser.',
    folders: {
      funnel: 'the document of a funnel: checking it, the steps of a visitor, and drawing its pages',
      'app-links': 'where the apps of a project are: shapes and checks',
      flag: 'flags: shapes, checks, evaluation, previews, the form in the project file',
      audience: 'audiences: shapes, checks, what rules read of a subscriber',
      project: 'the settings of a project: shapes, limits, defaults',
      purchase: 'the statuses of a purchase: which give access, are paid for, or are in trouble',
      roles: 'roles and capabilities in a project',
      reason: 'why a notification had no effect or a scheduled action failed: the codes and their sentences',
      finding: 'what svc doctor finds about a project: the codes, and the names of their values',
      columns: 'what becomes of a column at an erasure, in exports and in copies',
      rules: 'the language of rules: reading, checking and evaluating a document',
      chart: 'the ids of charts, for which the console has words in every language',
      bucket: 'the draw of rollouts, variants and the holdout',
      'project-file': 'the members of an object in the project file',
      schema: 'parts of schemas that all objects have',
      time: 'ISO times',
      money: 'rounding, and micros as decimals',
      text: 'faults, and checks of texts and JSON values',
    },
  },
  {
    name: 'base',
    purpose:
      'What every part uses: helpers, database, HTTP, jobs, metrics, configuration, error codes. It knows nothing about the product.',
    folders: {
      lib: 'pure helpers: clock, ids, hashes, ISO times, money',
      db: 'the column kit, connections of each driver, migrations, dumps',
      http: 'the request pipeline, lists and cursors, idempotency, the response cache',
      jobs: 'the queue and its worker, cron lines, times of each day',
      metrics: 'the counters of `/metrics`',
      cli: 'what commands share: options, the failure envelope, the checks of `svc doctor`',
      blobs: 'large values, in files or in a bucket',
      findings: 'what a running server noticed about its setup, for `svc doctor`',
      retention: 'the deletion of rows that reached their age',
    },
  },
  {
    name: 'stores',
    purpose:
      'The protocols of the App Store, Google Play and the payment provider: decoding, verifying and calling, without a database.',
    folders: {
      ios: 'signed transactions, notifications and the server API of the App Store',
      android: 'purchases, notifications and the API of Google Play',
      payment: 'events, signatures and the API of the payment provider',
      'test-keys': 'the ids and keys that mark data of the test stores',
    },
  },
  {
    name: 'projects',
    purpose: "A customer's project: its settings, API keys, catalogue, store connections, project file and audit log.",
    folders: {
      project: 'projects, API keys and their cache, edits by people of the console',
      doors: 'who may call a route: API keys, sessions, roles and capabilities',
      catalog: 'access levels, products, offerings, virtual currencies',
      'project-file': 'the engine of the project file: parse, compare, plan, write',
      'store-setup': "the settings and credentials of a project's stores",
      connections: 'the clients of the connected stores, and the payment account',
      'play-console': 'what is read and set up at Google Play',
      'credential-lock': 'one process at a time renews credentials',
      'identity-tokens': 'signed tokens by which a server says who a device belongs to',
      'exchange-rates': 'prices of currencies in US dollars',
      audit: 'the audit log and the revisions of objects',
      billing: 'the plans of projects, where a deployment bills them',
      budget: 'alerts at shares of the plan, and the stop of telemetry',
      usage: 'what each project uses, counted in the transaction that makes it',
    },
  },
  {
    name: 'operators',
    purpose: 'The people who run projects: accounts and sign-in, members, mail and notices, platform administration.',
    folders: {
      'plan-billing': 'how projects pay for their plans: cards, invoices, cancelling, what follows a failed payment',
      accounts: 'accounts, sessions and one-time tokens',
      'sign-in': 'sign-up, sign-in and out, password reset',
      'two-factor': 'codes of an authenticator app, backup codes',
      passkeys: 'sign-in with a passkey',
      providers: 'sign-in with Google, GitHub or another issuer',
      'own-account': 'what people do with their own account',
      'access-tokens': 'personal access tokens for scripts',
      members: 'members, roles and invitations of a project',
      projects: 'projects and API keys in the console',
      'audit-log': 'the audit log in the console',
      platform: 'administration of the whole deployment, support access',
      mail: 'the outbox and sending of mail',
      assistant: 'the tools of the assistant, which only read, and the masking of personal data',
      mcp: 'the same tools for agents of other programs',
      notices: 'what people are told in the console and by mail',
      'usage-alerts': 'notices when a project reaches a mark of its budget',
      tls: 'https of the server itself: public ports, certificates and their renewal',
      'user-commands': 'the command line for accounts',
    },
  },
  {
    name: 'people',
    purpose: 'The subscribers: their identity, purchases, entitlements, balances and events.',
    folders: {
      subscribers: 'the rows of subscribers, their attributes and device keys',
      identity: 'identify, merge, transfer and undo',
      purchases: 'the record of purchases: how messages become a status, money lines, lists',
      entitlements: 'who may use what until when, and why',
      currencies: 'balances of virtual currencies, an append-only ledger',
      conversions: 'dollar amounts after a rate arrives or changes',
      events: 'the events of subscribers and the feed of them',
      directory: 'search, the list of subscribers and the page of one',
    },
  },
  {
    name: 'intake',
    purpose:
      'How facts of the stores are recorded: receipts, notifications, restores, and the comparison with the stores.',
    folders: {
      recording: 'writes observations and all that follows from them, in one transaction',
      receipts: 'what the receipts of two stores have in common',
      inbox: 'notifications as they arrive: kept, retried, replayed',
      ios: 'receipts and notifications of the App Store',
      android: 'receipts and notifications of Google Play',
      payment: 'webhooks and checkout results of the payment provider',
      restore: 'restoring purchases on another device',
      relink: 'gives purchases the product that came into the catalogue after them',
      'missing-products': 'products that people bought and the catalogue lacks: a list, and creating them',
      repair: 'joins purchases that an earlier release recorded as several',
      reconcile: 'asks the stores about purchases without news',
      'catch-up': 'fetches notifications that were missed',
      'refund-shield': "answers to the App Store's questions about refunds",
      'store-apps': 'lookups and test notifications in the console',
    },
  },
  {
    name: 'commerce',
    purpose: 'What a project does with purchases: selling on the web, granting, refunding, scheduling.',
    folders: {
      actions: 'grants, refunds, scheduled cancellations and changes',
      checkout: 'checkout and the billing portal of the payment provider',
    },
  },
  {
    name: 'funnels',
    purpose: 'Web funnels: their documents and versions, what visitors do in them, payments and claims.',
    folders: {
      assets: 'pictures, videos and animations of funnels, and serving them',
      fonts: 'fonts of funnels: packing them for pages, and serving them',
      publication: 'drafts, versions and publishing of a funnel',
      domains: 'names of customers for funnels: DNS, certificates, wallets, and which host a request came to',
      preview: 'links that show a draft or a version to people without an account',
      sessions: 'the way of a visitor through a funnel: pages, answers and steps',
      payments: 'what visitors pay in a funnel',
      claims: 'how what was bought on the web comes into the app',
    },
  },
  {
    name: 'targeting',
    purpose: 'Who is shown what: audiences, flags, experiments, placements, and the configuration of a client.',
    folders: {
      audiences: 'the rule language: reading, compiling, matching',
      flags: 'flags, their environments and rules',
      experiments: 'assignment, exposure, conversion and results',
      placements: 'what is shown at a place of the app',
      offerings: 'offerings as a client gets them',
      bootstrap: 'what an app reads at its start, in one call',
      'remote-config': 'the configuration of a client: `/v1/config`, its stream, OpenFeature',
      'audience-grants': 'access for everyone of an audience',
    },
  },
  {
    name: 'outward',
    purpose:
      "What leaves the server: webhooks, integrations, forwarded notifications, events on a developer's machine.",
    folders: {
      deliveries: 'the engine of all sending: attempts, order, retries',
      'delivery-log': 'the log of deliveries, and retry, redeliver, replay by people',
      webhooks: "signed events to a customer's servers",
      integrations: 'ads, analytics, attribution, lifecycle and chat providers',
      'vendor-format': "webhook bodies in another vendor's form",
      forwarding: 'store notifications sent on to another receiver',
      'event-log': 'the events of a project as a list and a stream',
      listen: '`svc listen`: live events without a tunnel',
    },
  },
  {
    name: 'insight',
    purpose:
      'What is computed from purchases and from the reports of apps: figures, charts, cohorts, queries, exports.',
    folders: {
      figures: 'entries of money and phases, and their sums ([how they work](figures.md))',
      charts: 'the charts, their values, groups and rows',
      'chart-notes': 'saved views and annotations of charts',
      metrics: 'eight figures with a fixed address, for dashboards of other tools',
      overview: 'the first screen of a project, also live',
      cohorts: 'people by what they did, and how they stayed',
      leaderboards: 'people in the order of what they hold, pay or do',
      telemetry: 'sessions and events that apps report',
      'sql-editor': 'queries of people over views of their project',
      'data-export': 'the data of a project as files',
      clickhouse: 'the copy in ClickHouse, and reading from it',
    },
  },
  {
    name: 'moving',
    purpose:
      'Moving in and out: imports, the comparison with a former vendor, data requests, erasure, whole projects, and the project file on the command line.',
    folders: {
      imports: "another service's export: read, checked, committed, undone",
      compare: 'the access of the former vendor beside ours',
      'data-requests': 'requests of people to see or erase their data',
      erasure: 'erases people, and proves it',
      'sdk-door': "answers to apps built with a former vendor's SDK",
      'project-move': '`svc export` and `svc import` of a whole project',
      'project-file': '`svc apply` and `svc export` of the project file',
    },
  },
  {
    name: 'test-store',
    purpose: 'The built-in test stores, which sign the same messages as the real stores.',
    folders: {
      stores: 'the App Store, Google Play and the payment provider in memory',
      driver: 'the lives of simulated purchases',
      dashboard: 'test purchases in the console',
      command: '`svc simulate`',
      billing: 'the provider that charges projects for their plans, in memory',
    },
  },
  {
    name: 'console',
    purpose: 'The console in the browser, a React program of its own. It imports nothing from the server but `core`.',
    folders: {
      screens: 'one folder for each entry of the sidebar, with its routes',
      shell: 'the frame: sidebar, top bar, palette, notices',
      parts: 'parts that screens share and that know the API',
      kit: 'buttons, tables, dialogs, charts: parts that know nothing of the API',
      lib: 'session, roles, formats, the draft of the project file',
      api: 'the client; `schema.d.ts` is made by `bun run types`, and in no commit',
      text: 'every text in English, Turkish, German and Japanese',
      types: 'declarations of imported files',
    },
  },
  {
    name: 'sdk',
    purpose:
      'The client for apps, in browsers, React, React Native and on servers. It imports nothing from the server but `core`, and no library but React.',
    folders: {
      core: 'configure, the user, reads, flags, purchases, events: what every app uses',
      checkout: 'the pages of the payment provider',
      react: 'the hooks for React',
      'react-native': 'the entry for React Native',
      node: 'the entry for servers',
      cases: 'the behaviour of the client as files that a client in any language can run, and their runner',
    },
  },
  {
    name: 'docs',
    purpose:
      'What the server shows in a browser: this guide, the OpenAPI documents, the built console with its files, and the client.',
    folders: {
      guide: 'this guide',
      api: 'the OpenAPI documents and their page',
      console: 'serves the files of the console',
      client: 'serves the client for pages, and `svc sdk`',
      example: 'the example shop of `svc demo`',
    },
  },
  {
    name: 'cli',
    purpose: 'The command line, and the commands that belong to the whole program: serve, migrate, backup, doctor.',
    folders: { doctor: 'the checks of `svc doctor` that belong to no slice' },
  },
]
