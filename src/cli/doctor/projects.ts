import type { Config } from '../../base/config'
import type { Handle } from '../../base/db/handle'
import type { Vault } from '../../base/lib/crypto'
import { readRefundShield } from '../../intake/refund-shield/settings'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import type { CatalogSnapshot, Product } from '../../projects/catalog/snapshot'
import { loadStoreSettings, type SavedSettings, type StoreSection } from '../../projects/connections/credentials'
import { type KeyView, listKeys, listProjects, type ProjectRow } from '../../projects/project/service'
import { readPlacementSnapshot } from '../../targeting/placements/load'
import { type NamedFault, readRemote } from '../../targeting/remote-config/load'
import { type Check, fail, ok, warn } from './check'
import { paymentGaps } from './payment'

/** Whether each project is ready for its app. */
export async function checkProjects(handle: Handle, deployment: Deployment, now: number): Promise<Check[]> {
  const projects = await listProjects(handle)
  if (projects.length === 0)
    return [warn('projects', 'There is none yet; make one with: svc project create --name NAME')]
  const checks: Check[] = []
  for (const project of projects) checks.push(...(await checkProject(handle, deployment, project, now)))
  return checks
}

/** What projects share. */
export interface Deployment {
  vault: Vault | null
  config: Pick<Config, 'paymentConnect'>
}

interface Facts {
  /** Neither revoked nor expired. */
  keys: readonly KeyView[]
  settings: ReadonlyMap<StoreSection, SavedSettings>
  catalog: CatalogSnapshot
}

async function checkProject(
  handle: Handle,
  { vault, config }: Deployment,
  project: ProjectRow,
  now: number,
): Promise<Check[]> {
  const name = `project ${project.slug}`
  const facts: Facts = {
    keys: (await listKeys(handle, project.id)).filter((key) => isLive(key, now)),
    settings: await loadStoreSettings(handle, vault, project.id),
    catalog: await loadCatalogSnapshot(handle, project.id),
  }
  const { snapshot, faults: targeting } = await readRemote(handle, project.id)
  const placements = await readPlacementSnapshot(handle, project.id, Promise.resolve([facts.catalog, snapshot]))
  const broken = [...targeting, ...placements.faults.map((fault) => ({ ...fault, name: null }))]
  const faults = [
    ...sealedSections(facts).map((section) => fail(name, SEALED.replace('*', section))),
    ...brokenSentences(broken).map((sentence) => fail(name, sentence)),
  ]
  const forPayment = paymentGaps(facts.settings.get('payment'), facts.catalog, config.paymentConnect)
  const gaps = [...gapsOf(project.slug, facts), ...forPayment].map((sentence) => warn(name, sentence))
  const all = `${facts.catalog.products.size} products, ${facts.keys.length} live API keys.`
  return faults.length + gaps.length > 0 ? [...faults, ...gaps] : [ok(name, all)]
}

const isLive = ({ revokedAt, expiresAt }: KeyView, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

const SEALED = 'The * credentials do not open; bring back the master key of before, or save them again.'

const sealedSections = ({ settings }: Facts): StoreSection[] =>
  [...settings].flatMap(([section, { secrets }]) => (secrets === null ? [section] : []))

type Broken = Pick<NamedFault, 'id' | 'name' | 'path' | 'message'> & { kind: string }

/** Targeting that somebody wrote past svc: each object once, with what is wrong first. */
function brokenSentences(faults: readonly Broken[]): string[] {
  const objects = [...Map.groupBy(faults, ({ id }) => id).values()].flatMap(([first]) => first ?? [])
  const more = objects.length - NAMED
  const told = objects.slice(0, NAMED).map(({ kind, id, name, path, message }) => {
    const what = message.startsWith(path) ? message : `${path}: ${message}`
    const called = name === null ? id : `${name} (${id})`
    return `The stored ${kind} ${called} is broken and fails closed: ${what}. Save it again.`
  })
  return more > 0 ? [...told, `${more} more stored objects of targeting are broken.`] : told
}

/** What an app will miss, in a sentence each. */
function gapsOf(slug: string, { keys, settings, catalog }: Facts): string[] {
  const { bundleId, appId } = settings.get('ios')?.config ?? {}
  const active = [...catalog.products.values()].filter(({ isActive }) => isActive)
  const idle = active.filter((product) => givesNothing(product, catalog))
  const unsold = active.filter(({ iosId, androidId, paymentId }) => !iosId && !androidId && !paymentId)
  const shield = readRefundShield(settings.get('refundShield')?.config ?? {})
  const gaps: [isThere: boolean, sentence: string][] = [
    [!bundleId, 'No iOS bundle id is set, so receipts from iOS are refused; set stores.ios.bundleId.'],
    [!!bundleId && !appId, 'No iOS app id is set, so production notifications must wait; set stores.ios.appId.'],
    [shield.enabled && !shield.customerConsented, NO_CONSENT],
    [shield.enabled && !hasIosKey(settings), NO_IOS_KEY],
    [keys.length === 0, `No API key is live; make one with: svc key create --project ${slug}`],
    [!catalog.offerings.some(({ isDefault }) => isDefault), 'No offering is the default; mark one in offerings.'],
    [idle.length > 0, `These products give neither access nor currency: ${list(idle)}.`],
    [unsold.length > 0, `These products have no store id, so no store sells them: ${list(unsold)}.`],
  ]
  return gaps.flatMap(([isThere, sentence]) => (isThere ? [sentence] : []))
}

const NO_CONSENT =
  'The refund shield answers nothing until your customers agreed; then set stores.refundShield.customerConsented.'
const NO_IOS_KEY = 'The refund shield has no key to answer with; save stores.ios.inAppPurchaseKey.'

const hasIosKey = (settings: Facts['settings']): boolean => !!settings.get('ios')?.config.inAppPurchaseKey

const givesNothing = ({ id, accessIds }: Product, { grantsByProduct }: CatalogSnapshot): boolean =>
  accessIds.length === 0 && !grantsByProduct.has(id)

const NAMED = 5

function list(products: readonly Product[]): string {
  const names = products.map(({ identifier }) => identifier).sort()
  const more = names.length - NAMED
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
