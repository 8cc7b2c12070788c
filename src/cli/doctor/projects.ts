import { loadCatalogSnapshot } from '../../catalog/service'
import type { CatalogSnapshot, Product } from '../../catalog/snapshot'
import type { Handle } from '../../db/handle'
import type { Vault } from '../../lib/crypto'
import { loadStoreSettings, type SavedSettings, type StoreSection } from '../../projects/credentials'
import { type KeyView, listKeys, listProjects, type ProjectRow } from '../../projects/service'
import { type Check, fail, ok, warn } from './check'

/** Whether each project is ready for its app. */
export async function checkProjects(handle: Handle, vault: Vault | null, now: number): Promise<Check[]> {
  const projects = await listProjects(handle)
  if (projects.length === 0)
    return [warn('projects', 'There is none yet; make one with: svc project create --name NAME')]
  const checks: Check[] = []
  for (const project of projects) checks.push(...(await checkProject(handle, vault, project, now)))
  return checks
}

async function checkProject(handle: Handle, vault: Vault | null, { id, slug }: ProjectRow, now: number) {
  const facts = {
    keys: (await listKeys(handle, id)).filter((key) => isLive(key, now)),
    settings: await loadStoreSettings(handle, vault, id),
    catalog: await loadCatalogSnapshot(handle, id),
  }
  const name = `project ${slug}`
  const found = [...checkSettings(name, facts.settings), ...checkSetUp(name, facts)]
  return found.length > 0
    ? found
    : [ok(name, `${facts.catalog.products.size} products, ${facts.keys.length} API keys.`)]
}

const isLive = ({ revokedAt, expiresAt }: KeyView, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

function checkSettings(name: string, settings: Map<StoreSection, SavedSettings>): Check[] {
  const sealed = [...settings].filter(([, { secrets }]) => secrets === null)
  return [
    ...sealed.map(([section]) =>
      fail(name, `The ${section} credentials do not open; bring back the master key of before, or save them again.`),
    ),
    ...checkIos(name, settings.get('ios')?.config ?? {}),
  ]
}

function checkIos(name: string, { bundleId, appId }: Record<string, unknown>): Check[] {
  if (!bundleId)
    return [warn(name, 'No iOS bundle id is set, so receipts from iOS are refused; set stores.ios.bundleId.')]
  if (!appId) return [warn(name, 'No iOS app id is set, so production notifications must wait; set stores.ios.appId.')]
  return []
}

interface Facts {
  keys: readonly KeyView[]
  catalog: CatalogSnapshot
}

function checkSetUp(name: string, { keys, catalog }: Facts): Check[] {
  const active = [...catalog.products.values()].filter(({ isActive }) => isActive)
  const idle = active.filter((product) => givesNothing(product, catalog))
  const unsold = active.filter(({ iosId, androidId, paymentId }) => !iosId && !androidId && !paymentId)
  const hasDefault = catalog.offerings.some(({ isDefault }) => isDefault)
  return [
    ...when(keys.length === 0, () =>
      warn(name, `No API key is live; make one with: svc key create --project ${name.slice(8)}`),
    ),
    ...when(!hasDefault, () => warn(name, 'No offering is the default, so apps show none unless they name one.')),
    ...when(idle.length > 0, () => warn(name, `These products give neither access nor currency: ${list(idle)}.`)),
    ...when(unsold.length > 0, () =>
      warn(name, `No store sells these products, for they have no store id: ${list(unsold)}.`),
    ),
  ]
}

const when = (condition: boolean, check: () => Check): Check[] => (condition ? [check()] : [])

const givesNothing = ({ id, accessIds }: Product, { grantsByProduct }: CatalogSnapshot): boolean =>
  accessIds.length === 0 && !grantsByProduct.has(id)

const NAMED = 5

function list(products: readonly Product[]): string {
  const names = products.slice(0, NAMED).map(({ identifier }) => identifier)
  const more = products.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
