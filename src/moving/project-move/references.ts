import type { Page } from '../../base/db/dump'
import type { IdPrefix } from '../../base/lib/ids'
import type { TablePlan } from './plan'

/** The tables of projects whose rows are named by ids. A test fails when one is missing. */
export const TABLE_OF_PREFIX: { readonly [Prefix in IdPrefix]?: string } = {
  prj: 'projects',
  key: 'api_keys',
  acc: 'access',
  prd: 'products',
  off: 'offerings',
  vcy: 'virtual_currencies',
  nfw: 'notification_forwards',
  alg: 'audit_log',
  sub: 'subscribers',
  pur: 'purchases',
  txn: 'transactions',
  obs: 'purchase_observations',
  vtx: 'ledger',
  evt: 'events',
  trf: 'transfers',
  sev: 'store_events',
  rfs: 'refund_shield_responses',
  act: 'scheduled_actions',
  aud: 'audiences',
  fnl: 'funnels',
  fnv: 'funnel_versions',
  dom: 'custom_domains',
  ast: 'assets',
  ffm: 'font_families',
  ffc: 'font_faces',
  fse: 'funnel_sessions',
  fpy: 'funnel_payments',
  fmv: 'funnel_moves',
  fop: 'funnel_openings',
  flg: 'flags',
  exp: 'experiments',
  plc: 'placements',
  whd: 'deliveries',
  rpl: 'delivery_replays',
  int: 'integrations',
  whe: 'webhook_endpoints',
  coh: 'cohorts',
  ldb: 'leaderboards',
  cvw: 'chart_views',
  cth: 'assistant_threads',
  cms: 'assistant_messages',
  cin: 'assistant_intents',
  ann: 'chart_annotations',
  qry: 'saved_queries',
  exs: 'export_schedules',
  exr: 'export_runs',
  imp: 'import_jobs',
  dsr: 'data_requests',
  fsk: 'former_sdk_keys',
  cmp: 'compare_runs',
  csc: 'compare_schedules',
}

const ID = /^([a-z]{3})_[\w-]{1,80}$/

/** What an app or a developer may fill with any text. */
const FREE = new Set(['app_user_id', 'appUserId', 'reference_id', 'referenceId', 'external_id', 'externalId'])
const FREE_PARTS = new Set(['attributes', 'metadata', 'properties', 'value', 'default_value', 'defaultValue'])

/** Columns and members that name other rows and do not say so by their name. */
const NAMING = new Set(['id', 'ids', 'ref', 'merged_into', 'moved', 'started_by'])

const isNaming = (name: string): boolean => !FREE.has(name) && (NAMING.has(name) || /(_id|_ids|Id|Ids)$/.test(name))

/** By table: the ids of its rows that a page names, those of the page's own rows too. */
export function referencesIn({ json }: TablePlan, { columns, rows }: Page): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [index, column] of columns.entries()) {
    if (!json.has(column) && !isNaming(column)) continue
    for (const row of rows) {
      const value = row[index]
      if (typeof value !== 'string') continue
      if (!json.has(column)) collect(found, value, column)
      else if (/"[a-z]{3}_/.test(value)) collect(found, JSON.parse(value), column)
    }
  }
  return found
}

function collect(found: Map<string, Set<string>>, value: unknown, name: string): void {
  if (FREE_PARTS.has(name)) return
  if (Array.isArray(value)) for (const item of value) collect(found, item, name)
  else if (typeof value === 'object' && value !== null)
    for (const [member, item] of Object.entries(value)) collect(found, item, member)
  else if (typeof value === 'string' && isNaming(name)) add(found, value)
}

function add(found: Map<string, Set<string>>, id: string): void {
  const table: unknown = Reflect.get(TABLE_OF_PREFIX, ID.exec(id)?.[1] ?? '')
  if (typeof table !== 'string') return
  const ids = found.get(table) ?? new Set()
  found.set(table, ids.add(id))
}
