import {
  type SavedSettings,
  type Secrets,
  STORE_SECTIONS,
  type StoreSection,
} from '../../projects/connections/credentials'
import type { ProjectFile, WantedStore } from './model'
import { type Problem, problem } from './problem'

/** Every showable member of a section, in the order of the file, with its default. */
const CONFIG: Record<StoreSection, Record<string, unknown>> = {
  ios: { bundleId: null, appId: null, inAppPurchaseKey: null, storeConnectKey: null, notificationForwards: [] },
  android: { packageName: null, clientEmail: null, notificationForwards: [] },
  payment: { mode: null, accountId: null, notificationForwards: [] },
  refundShield: { enabled: false, delayMinutes: 60, policy: 'decline', customerConsented: false },
  commissionRates: { IOS_STORE: null, ANDROID_STORE: null, PAYMENT: null },
}

/** The members of a saved section that a file speaks about. */
export const readConfig = (section: StoreSection, saved: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(CONFIG[section]).map(([name, byDefault]) => [name, saved[name] ?? byDefault]))

/** A section of the store settings before and after. Secrets stand by their path within the section. */
export interface StorePair {
  section: StoreSection
  before: { config: Record<string, unknown>; secretPaths: string[] } | null
  after: {
    config: Record<string, unknown>
    secrets: Secrets | 'keep'
    secretPaths: string[]
    newSecretPaths: string[]
  } | null
  isPruned: boolean
}

/** A placeholder that could not be read: the saved secret stays. */
export interface KeptSecret {
  section: StoreSection
  path: string
  reason: string
  isSaved: boolean
}

export interface StoresPlan {
  pairs: StorePair[]
  keptSecrets: KeptSecret[]
  problems: Problem[]
}

type Stores = ReadonlyMap<StoreSection, SavedSettings>

/** The store settings before and after the file. */
export function planStores(
  wanted: ProjectFile['stores'],
  saved: Stores,
  options: { prune: boolean; hasVault: boolean },
): StoresPlan {
  const plan: StoresPlan = { pairs: [], keptSecrets: [], problems: [] }
  for (const section of STORE_SECTIONS) {
    const store = wanted?.[section]
    const present = saved.get(section) ?? null
    if (store) planStore(plan, section, store, present, options.hasVault)
    else if (present) plan.pairs.push(leftover(section, present, wanted !== null && options.prune))
  }
  return plan
}

function leftover(section: StoreSection, saved: SavedSettings, isPruned: boolean): StorePair {
  const before = { config: readConfig(section, saved.config), secretPaths: Object.keys(saved.secrets ?? {}) }
  const after = isPruned ? null : { ...before, secrets: 'keep' as const, newSecretPaths: [] }
  return { section, before, after, isPruned }
}

function planStore(
  plan: StoresPlan,
  section: StoreSection,
  wanted: WantedStore,
  saved: SavedSettings | null,
  hasVault: boolean,
): void {
  const known = saved?.secrets ?? {}
  const isSealed = saved !== null && saved.secrets === null // With another master key: nobody knows what is there.
  const paths = Object.keys(wanted.secrets)
  const given = givenSecrets(wanted.secrets)
  const secrets = { ...pick(known, paths), ...given }
  plan.keptSecrets.push(...keptSecrets(section, wanted.secrets, (path) => isSealed || path in known))
  plan.problems.push(...refusals(section, Object.keys(given).length, paths.length, isSealed, hasVault))
  plan.pairs.push({
    section,
    before: saved && {
      config: readConfig(section, saved.config),
      secretPaths: isSealed ? paths : Object.keys(known),
    },
    after: {
      config: withKeptNames(wanted, saved),
      secrets: isSealed && paths.length > 0 && Object.keys(given).length === 0 ? 'keep' : secrets,
      secretPaths: isSealed ? paths : Object.keys(secrets),
      newSecretPaths: Object.keys(given).filter((path) => known[path] !== given[path]),
    },
    isPruned: false,
  })
}

const givenSecrets = (wanted: WantedStore['secrets']): Secrets =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([path, secret]) => ('value' in secret ? [[path, secret.value]] : [])),
  )

const pick = (secrets: Secrets, paths: readonly string[]): Secrets =>
  Object.fromEntries(Object.entries(secrets).filter(([path]) => paths.includes(path)))

const keptSecrets = (
  section: StoreSection,
  wanted: WantedStore['secrets'],
  isSaved: (path: string) => boolean,
): KeptSecret[] =>
  Object.entries(wanted).flatMap(([path, secret]) =>
    'missing' in secret ? [{ section, path, reason: secret.missing, isSaved: isSaved(path) }] : [],
  )

function refusals(
  section: StoreSection,
  given: number,
  wanted: number,
  isSealed: boolean,
  hasVault: boolean,
): Problem[] {
  if (given === 0) return []
  const path = ['stores', section]
  const feature = { feature: 'credential_encryption' }
  if (!hasVault)
    return [problem(path, 'There is no master key to encrypt credentials with', 'FEATURE_NOT_CONFIGURED', feature)]
  if (!isSealed || given === wanted) return []
  return [problem(path, 'The saved secrets were sealed with another master key: give all of them', 'CONFLICT')]
}

/** The e-mail address of a service account is read out of it, so it stays with one that stays. */
function withKeptNames({ config, secrets }: WantedStore, saved: SavedSettings | null): Record<string, unknown> {
  const account = secrets.serviceAccount
  return account && 'missing' in account ? { ...config, clientEmail: saved?.config.clientEmail ?? null } : config
}
