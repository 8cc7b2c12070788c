import { Document, isMap, isScalar, isSeq, visit, type Node as YamlNode } from 'yaml'
import { STORE_SECTIONS, type StoreSection } from '../../projects/connections/credentials'
import { shownContent } from './content-shown'
import { targetingContent } from './content-targeting'
import { type Current, namesOf, projectFields, readCatalog, type Saved, withoutDefaults } from './current'
import type { OfferingState, PackageState, ProductState } from './model'
import { readConfig } from './plan-stores'
import { sortDeep } from './sorted'

type Members = Record<string, unknown>

/**
 * A project as the content of a project file: sections in their order, objects by identifier, members as documented,
 * those at their default left out. Applying it changes nothing.
 */
export function toFileContent(current: Current): Members {
  const catalog = readCatalog(current.catalog, namesOf(current.catalog))
  const { settings, ...project } = projectFields(current.project)
  const stores = storesContent(current)
  return {
    version: 1,
    project: compact({ ...project, timezone: unless('UTC', project.timezone), settings: withoutDefaults(settings) }),
    access: section(catalog.access, (state) => compact({ ...state })),
    virtualCurrencies: section(
      catalog.virtualCurrencies.filter(({ state }) => !state.isArchived),
      ({ name, clawback }) => compact({ name, clawback }),
    ),
    products: section(catalog.products, productContent),
    offerings: section(catalog.offerings, offeringContent),
    ...targetingContent(current.targeting),
    ...shownContent(current),
    ...(Object.keys(stores).length > 0 && { stores }),
  }
}

const section = <State>(objects: readonly Saved<State>[], write: (state: State) => Members): Members =>
  Object.fromEntries(
    objects.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, state }) => [name, write(state)]),
  )

/** Without the members that are null, absent or empty: all of these are the default. */
function compact(members: Members): Members {
  const isDefault = (value: unknown) =>
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => !isDefault(value))
      .map(([name, value]) => [name, sorted(name, value)]),
  )
}

const unless = <Value>(byDefault: Value, value: Value): Value | undefined => (value === byDefault ? undefined : value)

/** Metadata in the order of its names: databases keep no order of their own. */
const sorted = (name: string, value: unknown): unknown => (name === 'metadata' ? sortDeep(value) : value)

const productContent = (state: ProductState): Members =>
  compact({
    type: state.type,
    displayName: state.displayName,
    period: state.period,
    storeIds: compact(state.storeIds),
    androidBasePlanId: state.androidBasePlanId,
    androidOfferId: state.androidOfferId,
    access: state.accessIds,
    isActive: unless(true, state.isActive),
    metadata: state.metadata,
    grants: state.grants.map(({ currency, amount, grantOn }) => ({ currency, amount, on: grantOn })),
  })

const offeringContent = ({ isDefault, metadata, packages }: OfferingState): Members =>
  compact({ isDefault: unless(false, isDefault), metadata, packages: packages.map(packageContent) })

const packageContent = ({ identifier, product, order, isPromoted, metadata }: PackageState, index: number): Members =>
  compact({ identifier, product, order: unless(index, order), promoted: unless(false, isPromoted), metadata })

function storesContent({ stores }: Current): Members {
  const found = STORE_SECTIONS.flatMap((name): [string, Members][] => {
    const saved = stores.get(name)
    return saved ? [[name, compact(STORE_CONTENTS[name](readConfig(name, saved.config)))]] : []
  })
  return Object.fromEntries(found)
}

/** Secrets never leave: an environment variable is named in the place of each. */
const STORE_CONTENTS: Record<StoreSection, (config: Members) => Members> = {
  ios: ({ bundleId, appId, inAppPurchaseKey, storeConnectKey, notificationForwards }) => ({
    bundleId,
    appId,
    inAppPurchaseKey: iosKeyContent(inAppPurchaseKey, 'IOS_IN_APP_PURCHASE_KEY'),
    storeConnectKey: iosKeyContent(storeConnectKey, 'IOS_STORE_CONNECT_KEY'),
    notificationForwards,
  }),
  android: ({ packageName, notificationForwards }) => ({
    packageName,
    serviceAccount: placeholder('ANDROID_SERVICE_ACCOUNT'),
    notificationForwards,
  }),
  payment: ({ mode, accountId, notificationForwards }) => ({
    mode,
    ...(accountId === null
      ? { secretKey: placeholder('PAYMENT_SECRET_KEY'), webhookSecret: placeholder('PAYMENT_WEBHOOK_SECRET') }
      : { accountId }),
    notificationForwards,
  }),
  refundShield: (config) => config,
  commissionRates: (config) => config,
}

const placeholder = (variable: string): string => `\${env:${variable}}`

function iosKeyContent(key: unknown, variable: string): Members | null {
  if (typeof key !== 'object' || key === null) return null
  const { keyId, issuerId } = key as Members
  return { keyId, issuerId, privateKey: placeholder(variable) }
}

export interface WriteOptions {
  /** Adds the ids as comments. */
  withIds: boolean
}

/** The project as YAML. */
export function writeYaml(current: Current, { withIds }: WriteOptions): string {
  const document = new Document(toFileContent(current))
  visit(document, {
    Seq(_key, list) {
      list.flow = list.items.every(isScalar)
    },
  })
  separateSections(document)
  if (withIds) commentIds(document, current)
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** An empty line above every section. */
function separateSections({ contents }: Document): void {
  if (!isMap(contents)) return
  for (const { key } of contents.items.slice(1)) if (isScalar(key)) key.spaceBefore = true
}

function commentIds(document: Document, { project, catalog, targeting }: Current): void {
  comment(document.get('project', true), project.id)
  for (const { identifier, id } of catalog.access) comment(document.getIn(['access', identifier], true), id)
  for (const { code, id } of catalog.currencies) comment(document.getIn(['virtualCurrencies', code], true), id)
  for (const { identifier, id } of catalog.products) comment(document.getIn(['products', identifier], true), id)
  for (const { identifier, id } of catalog.offerings) comment(document.getIn(['offerings', identifier], true), id)
  for (const { name, id } of targeting.audiences) comment(document.getIn(['audiences', name], true), id)
  for (const { key, env, id } of targeting.flags) comment(document.getIn(['flags', key, 'environments', env], true), id)
  for (const { key, id } of targeting.experiments) comment(document.getIn(['experiments', key], true), id)
  for (const { slug, id } of targeting.funnels) comment(document.getIn(['funnels', slug], true), id)
  for (const { identifier, id } of targeting.placements) comment(document.getIn(['placements', identifier], true), id)
}

/** Above the object's first member. */
function comment(node: unknown, id: string): void {
  if (isMap(node) || isSeq(node)) (node as YamlNode).commentBefore = ` ${id}`
}
