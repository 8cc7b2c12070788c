import type { Tables } from '../../base/db/tables'
import { sealContext as tokenContext } from '../../funnels/claims/token'
import { contextOf as paymentContext } from '../../funnels/payments/email'
import { contextOf as answerContext } from '../../funnels/sessions/answers'
import { contextOf as scheduleContext } from '../../insight/data-export/credentials'
import { PACK_KEY_STEP } from '../../insight/telemetry/pack-key'
import { contextOf as assistantContext } from '../../operators/assistant/credentials/service'
import { contextOf as integrationContext } from '../../outward/integrations/credentials'
import { authorizationContext, secretContext } from '../../outward/webhooks/secrets'
import { contextOf as storeContext } from '../../projects/connections/credentials'
import { contextOf as identityContext } from '../../projects/identity-tokens/secret'
import { contextOf as testKeyContext } from '../../stores/test-keys/service'
import { contextOf as compareContext } from '../compare/key'
import {
  artefactFault,
  filesFault,
  jobFault,
  jobsOfProject,
  NO_FOLDER,
  NO_TRUSTED_URL,
  type ReadRow,
  UNPROVED_DOMAIN,
  type Untrusted,
} from './row-rules'

/** The name of a table or a column in the database. */
type Name = string

/** How the rows of a table belong to a project, and what another deployment needs to know of them. */
export interface ProjectRows {
  /** The column with the project's id; without it the rows belong to a row of another table, or to a condition. */
  by?: Name
  /**
   * The row of another table that they belong to: which column names it, and by which column of its own. `other`: a
   * second table that can have the row instead, with the same key.
   */
  through?: { column: Name; parent: Name; parentKey: Name; other?: Name }
  /** They are computed again elsewhere, so they are not moved. */
  isRebuilt?: true
  /** In SQL: `$` is replaced by the quoted id of the project. */
  where?: string
  /** The database refuses to delete its rows. Those that are there already are the same for ever. */
  isAppendOnly?: true
  /** The column that the database counts upwards. Other deployments have given these numbers to other rows. */
  serial?: Name
  /** Columns made of the serial numbers of a table, their own or another. */
  numbers?: Readonly<Record<Name, NumberOf>>
  /** Columns that another deployment counts by itself. They are no part of the content. */
  version?: Name
  /** The columns that hold on the server where they were set and nowhere else, with what they are elsewhere. */
  untrusted?: Untrusted
  /** Says what is wrong with a row of a file; null = nothing. */
  judge?: (row: ReadRow, project: { slug: string; name: string }) => string | null
  /** Columns that are encrypted with the master key. */
  sealed?: Readonly<Record<Name, Sealed>>
}

export interface NumberOf {
  table: Name
  /** The column is a multiple of the number plus something else. */
  times?: number
  /** The column states how far something has come; it may lie beyond the project's own rows. */
  isMark?: true
  /** The row that it names may have been deleted since. Its readers compare the projects. */
  isPruned?: true
}

/** How an encrypted value is found and named. */
export interface Sealed {
  context: (row: (column: Name) => string) => string
  /** What must be entered again where it cannot be opened. */
  what: (row: (column: Name) => string) => string
  /** The member of a JSON column that holds it. */
  member?: Name
  /** The column is JSON and the value is a text in it, in rows where this column states so. */
  textWhere?: Name
}

/**
 * `DEPLOYMENT`: belongs to no project. `NOT_MOVED`: means something only where it is: work under way, people of the
 * dashboard, mail.
 */
export type Belonging = ProjectRows | 'DEPLOYMENT' | 'NOT_MOVED'

const OWN: ProjectRows = { by: 'project_id' }
const SERIAL: ProjectRows = { by: 'project_id', serial: 'position' }

const storeName = (section: string): string => `the credentials of the store ${section}`

const VENDOR_KEY: ProjectRows['sealed'] = {
  sealed_key: {
    context: (row) => compareContext(row('project_id')),
    what: () => 'the key of the service that svc compare asks',
  },
}

/** Every table of the product. A test fails when one is missing. Parents come before the rows that belong to them. */
export const BELONGINGS: { readonly [Table in keyof Tables]?: Belonging } = {
  migrations: 'DEPLOYMENT',
  serverFindings: 'DEPLOYMENT',
  tlsAccounts: 'DEPLOYMENT',
  tlsNames: 'DEPLOYMENT',
  tlsCertificates: 'DEPLOYMENT',
  tlsOrders: 'DEPLOYMENT',
  tlsLeases: 'DEPLOYMENT',
  projects: {
    by: 'id',
    version: 'config_version',
    judge: (row, { slug, name }) =>
      row('slug') === slug && row('name') === name ? null : 'has another slug or name than the file announces',
  },
  unsettledFiles: 'NOT_MOVED',
  idempotencyKeys: OWN,
  jobs: { where: jobsOfProject, judge: jobFault },
  cronRuns: 'DEPLOYMENT',
  simulatorKeys: {
    where: `substr(id, 1, length($) + 1) = $ || ':'`,
    sealed: {
      material: {
        member: 'sealed',
        context: (row) => testKeyContext(...(row('id').split(':') as [string, string])), // Its id is made of both.
        what: () => 'nothing: the keys of the test stores are made anew',
      },
    },
  },
  auditLog: SERIAL,
  objectRevisions: OWN,
  apiKeys: OWN,
  storeSettings: {
    ...OWN,
    sealed: {
      sealed: {
        context: (row) => storeContext(row('project_id'), row('section')),
        what: (row) => storeName(row('section')),
      },
    },
  },
  // Up to where events were deleted for their age; the other rows are those of the deployment.
  revisions: { where: `name = 'events-pruned:' || $` },
  identitySecrets: {
    ...OWN,
    sealed: {
      sealed: { context: (row) => identityContext(row('project_id')), what: () => 'the secret of identity tokens' },
      previous_sealed: {
        context: (row) => identityContext(row('project_id')),
        what: () => 'the secret of identity tokens before its rotation',
      },
    },
  },
  access: OWN,
  products: OWN,
  currencyGrants: OWN,
  offerings: OWN,
  virtualCurrencies: OWN,
  credentialLocks: 'NOT_MOVED',
  notificationForwards: OWN,
  exchangeRates: 'DEPLOYMENT',
  rateUpdates: 'DEPLOYMENT',
  rateFetches: 'DEPLOYMENT',
  pubsubSetups: OWN,
  mails: 'NOT_MOVED',
  mailSuppressions: 'DEPLOYMENT',
  users: 'DEPLOYMENT',
  userSessions: 'DEPLOYMENT',
  challenges: 'DEPLOYMENT',
  twoFactors: 'DEPLOYMENT',
  backupCodes: 'DEPLOYMENT',
  mailTokens: 'DEPLOYMENT',
  identities: 'DEPLOYMENT',
  passkeys: 'DEPLOYMENT',
  accessTokens: 'DEPLOYMENT',
  setupTokens: 'DEPLOYMENT',
  preferences: 'DEPLOYMENT',
  memberships: 'NOT_MOVED',
  invitations: 'NOT_MOVED',
  supportGrants: 'NOT_MOVED',
  notices: 'NOT_MOVED',
  notificationPreferences: 'DEPLOYMENT',
  notificationDefaults: OWN,
  pushDevices: 'DEPLOYMENT',
  subscribers: OWN,
  erasedKeys: OWN,
  transfers: OWN,
  events: SERIAL,
  purchases: OWN,
  purchaseAliases: OWN,
  joinedTransactions: OWN,
  chargeRepairs: OWN,
  purchaseMoves: SERIAL,
  unlistedSales: OWN,
  observations: {
    through: { column: 'purchase_id', parent: 'purchases', parentKey: 'id', other: 'unlisted_sales' },
  },
  transactions: OWN,
  rateConversions: 'DEPLOYMENT',
  ledger: { ...OWN, isAppendOnly: true },
  balances: { through: { column: 'subscriber_id', parent: 'subscribers', parentKey: 'id' } },
  leaseKeys: 'DEPLOYMENT',
  storeEvents: OWN,
  storeCatchups: OWN,
  storeRefusals: OWN,
  refundShieldResponses: OWN,
  paymentCustomers: OWN,
  scheduledActions: OWN,
  audiences: OWN,
  audienceMembers: OWN,
  assets: OWN,
  fontFamilies: OWN,
  fontFaces: OWN,
  funnels: OWN,
  funnelVersions: OWN,
  flags: OWN,
  experiments: OWN,
  assignments: OWN,
  trackedEvents: SERIAL,
  experimentPauses: { through: { column: 'experiment_id', parent: 'experiments', parentKey: 'id' } },
  placements: OWN,
  placementResolutions: OWN,
  funnelSessions: OWN,
  funnelAnswers: {
    ...OWN,
    sealed: {
      value: {
        textWhere: 'is_sealed',
        context: (row) => answerContext(row('session_id'), row('field_id')),
        what: (row) => `the answer to ${row('field_id')} in the funnel session ${row('session_id')}`,
      },
    },
  },
  funnelSteps: OWN,
  funnelPayments: {
    ...OWN,
    sealed: {
      client_secret: {
        context: (row) => paymentContext(row('id')),
        what: () => 'nothing: who pays at the moment begins again',
      },
      email: {
        context: (row) => paymentContext(row('id')),
        what: (row) => `the address that the funnel payment ${row('id')} was made with`,
      },
    },
  },
  funnelTokens: {
    ...OWN,
    sealed: {
      sealed: {
        context: (row) => tokenContext(row('session_id')),
        what: () => 'nothing: the last page of a funnel makes a new token',
      },
    },
  },
  funnelMoves: OWN,
  funnelLinks: OWN,
  funnelOpenings: OWN,
  appLinks: OWN,
  customDomains: { ...OWN, untrusted: UNPROVED_DOMAIN },
  freedHostnames: 'NOT_MOVED',
  deliveryTargets: OWN,
  deliveries: { ...SERIAL, numbers: { event_position: { table: 'events', isPruned: true } } },
  deliveryCursors: { ...OWN, numbers: { position: { table: 'events', isMark: true } } },
  deliveryHours: { through: { column: 'target_id', parent: 'delivery_targets', parentKey: 'target_id' } },
  deliveryReplays: {
    ...OWN,
    numbers: { position: { table: 'events', isMark: true }, until: { table: 'events', isMark: true } },
  },
  assistantThreads: OWN,
  assistantMessages: OWN,
  assistantIntents: OWN,
  assistantUsage: OWN,
  assistantReservations: 'NOT_MOVED',
  assistantCredentials: {
    ...OWN,
    sealed: {
      sealed_key: {
        context: (row) => assistantContext(row('project_id')),
        what: () => 'the key of the model of the assistant',
      },
    },
  },
  integrations: {
    ...OWN,
    sealed: {
      sealed_credentials: {
        context: (row) => integrationContext(row('id')),
        what: (row) => `the credentials of the integration ${row('provider')} (${row('id')})`,
      },
    },
  },
  forwardBodies: OWN,
  webhookEndpoints: {
    ...OWN,
    sealed: {
      sealed_secret: {
        context: (row) => secretContext(row('id')),
        what: (row) => `the signing secret of the webhook endpoint ${row('id')}`,
      },
      sealed_previous: {
        context: (row) => secretContext(row('id')),
        what: (row) => `the earlier signing secret of the webhook endpoint ${row('id')}`,
      },
      sealed_authorization: {
        context: (row) => authorizationContext(row('id')),
        what: (row) => `the authorization header of the webhook endpoint ${row('id')}`,
      },
    },
  },
  sessionProjects: { ...OWN, serial: 'number' },
  sessionSubjects: { ...OWN, serial: 'number' },
  sessionPacks: {
    through: { column: 'project', parent: 'session_projects', parentKey: 'number' },
    numbers: { project: { table: 'session_projects' }, key: { table: 'session_subjects', times: PACK_KEY_STEP } },
  },
  clientEvents: SERIAL,
  figureEntries: SERIAL,
  figureProjects: { ...OWN, version: 'config_version' },
  figureRolls: { by: 'scope', isRebuilt: true },
  figureGroups: { ...OWN, isRebuilt: true },
  figureSums: { through: { column: 'group_id', parent: 'figure_groups', parentKey: 'id' }, isRebuilt: true },
  figureAnswers: { ...OWN, isRebuilt: true },
  analyticsChanges: 'DEPLOYMENT',
  analyticsTables: 'DEPLOYMENT',
  analyticsState: 'DEPLOYMENT',
  cohorts: OWN,
  cohortMembers: { through: { column: 'list_id', parent: 'cohorts', parentKey: 'list_id' } },
  leaderboards: OWN,
  leaderboardResults: {
    through: { column: 'leaderboard_id', parent: 'leaderboards', parentKey: 'id' },
    isRebuilt: true,
  },
  leaderboardPages: {
    through: { column: 'result_id', parent: 'leaderboard_results', parentKey: 'id' },
    isRebuilt: true,
  },
  chartViews: OWN,
  chartAnnotations: OWN,
  savedQueries: OWN,
  queryRuns: SERIAL,
  usageDays: OWN,
  usageRemovals: OWN,
  usageLevels: OWN,
  planChanges: 'NOT_MOVED',
  billingAccounts: 'NOT_MOVED',
  billingCustomers: 'NOT_MOVED',
  billingEvents: 'NOT_MOVED',
  budgets: 'NOT_MOVED',
  budgetAlerts: 'NOT_MOVED',
  exportSchedules: {
    ...OWN,
    untrusted: NO_FOLDER,
    sealed: {
      sealed_credentials: {
        context: (row) => scheduleContext(row('id')),
        what: (row) => `the bucket's credentials of the export schedule ${row('id')}`,
      },
    },
  },
  exportRuns: OWN,
  projectFirsts: OWN,
  appliedFiles: OWN,
  importJobs: { ...OWN, judge: filesFault },
  importSubscribers: { through: { column: 'job_id', parent: 'import_jobs', parentKey: 'id' } },
  importPurchases: { through: { column: 'job_id', parent: 'import_jobs', parentKey: 'id' } },
  importAnchors: SERIAL,
  dataRequests: { ...OWN, judge: artefactFault },
  compareRuns: { ...OWN, untrusted: NO_TRUSTED_URL, sealed: VENDOR_KEY },
  compareFindings: SERIAL,
  compareLater: { through: { column: 'run_id', parent: 'compare_runs', parentKey: 'id' } },
  compareSchedules: { ...OWN, untrusted: NO_TRUSTED_URL, sealed: VENDOR_KEY },
  formerSdkKeys: OWN,
  formerSdkTokens: OWN,
  formerSdkCalls: OWN,
  formerSdkDevices: 'NOT_MOVED',
  erasures: OWN,
  simulatorChains: OWN,
  simulatorStores: OWN,
  simulatorBilling: 'NOT_MOVED',
  simulatorMessages: OWN,
}
