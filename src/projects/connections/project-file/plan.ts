import type { Config } from '../../../base/config'
import type { Pair, Wanted } from '../../project-file/model'
import { type Problem, problem } from '../../project-file/problem'
import type { KeptSecret } from '../../project-file/secret'
import type { Planning } from '../../project-file/section'
import { type SavedSettings, type Secrets, STORE_SECTIONS, type StoreSection } from '../credentials'
import { forwardFault } from '../forwards/address'
import { urlsIn } from '../forwards/forwards'
import { readConfig, STORES, type StoreState, type WantedStore } from './model'

export interface StoreRows {
  saved: ReadonlyMap<StoreSection, SavedSettings>
  /** Whether secrets can be encrypted. */
  hasVault: boolean
  config: Pick<Config, 'isLoopbackAllowed' | 'publicBaseUrl'>
}

type Secret = WantedStore['secrets'][string]

/** The settings before and after the file is applied, in the order of the sections. */
export const planStores = ({ wanted, rows, prune }: Planning<WantedStore, StoreRows, StoreState>): Pair<StoreState>[] =>
  STORE_SECTIONS.flatMap((section) => {
    const given = wanted?.find(({ name }) => name === section)
    const saved = rows.saved.get(section) ?? null
    if (given) return [planStore(section, given, saved)]
    return saved ? [leftover(section, saved, wanted !== null && prune)] : []
  })

function leftover(section: StoreSection, saved: SavedSettings, isPruned: boolean): Pair<StoreState> {
  const before = savedState(section, saved, Object.keys(saved.secrets ?? {}))
  const names = { id: section, name: section, formerName: section }
  return { ...names, before, after: isPruned ? null : before, path: null, isPruned }
}

export const savedState = (section: StoreSection, { config }: SavedSettings, secretPaths: string[]): StoreState => ({
  config: readConfig(section, config),
  secretPaths,
  newSecretPaths: [],
  secrets: 'keep',
})

function planStore(
  section: StoreSection,
  { path, state }: Wanted<WantedStore>,
  saved: SavedSettings | null,
): Pair<StoreState> {
  const known = saved?.secrets ?? {}
  const isUnknown = isSealed(saved)
  const paths = Object.keys(state.secrets)
  const given = givenSecrets(state.secrets)
  const secrets = { ...pick(known, paths), ...given }
  return {
    id: section,
    name: section,
    formerName: saved && section,
    before: saved && savedState(section, saved, isUnknown ? paths : Object.keys(known)),
    after: {
      config: withKeptNames(state, saved),
      secrets: isUnknown && paths.length > 0 && Object.keys(given).length === 0 ? 'keep' : secrets,
      secretPaths: isUnknown ? paths : Object.keys(secrets),
      newSecretPaths: Object.keys(given).filter((secret) => known[secret] !== given[secret]),
    },
    path,
    isPruned: false,
  }
}

/** Whether the secrets were encrypted with another master key, so that they cannot be read or compared. */
const isSealed = (saved: SavedSettings | null): boolean => saved !== null && saved.secrets === null

const givenSecrets = (wanted: WantedStore['secrets']): Secrets =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([path, secret]) => ('value' in secret ? [[path, secret.value]] : [])),
  )

const pick = (secrets: Secrets, paths: readonly string[]): Secrets =>
  Object.fromEntries(Object.entries(secrets).filter(([path]) => paths.includes(path)))

/** `clientEmail` is read from the service account, so it is kept when the saved service account is kept. */
function withKeptNames({ config, secrets }: WantedStore, saved: SavedSettings | null): Record<string, unknown> {
  const account = secrets.serviceAccount
  return account && 'missing' in account ? { ...config, clientEmail: saved?.config.clientEmail ?? null } : config
}

/** The wanted settings in the order of the sections. */
const inOrder = (wanted: readonly Wanted<WantedStore>[]): [StoreSection, WantedStore][] =>
  STORE_SECTIONS.flatMap((section) =>
    wanted.filter(({ name }) => name === section).map(({ state }): [StoreSection, WantedStore] => [section, state]),
  )

/** The secrets whose placeholders could not be read. */
export const keptSecrets = (wanted: readonly Wanted<WantedStore>[], { saved }: StoreRows): KeptSecret[] =>
  inOrder(wanted).flatMap(([section, { secrets }]) => {
    const settings = saved.get(section) ?? null
    const isSaved = (path: string) => isSealed(settings) || path in (settings?.secrets ?? {})
    return Object.entries(secrets).flatMap(([path, secret]: [string, Secret]) =>
      'missing' in secret ? [keptSecret(section, path, secret.missing, isSaved(path))] : [],
    )
  })

const keptSecret = (section: StoreSection, path: string, reason: string, isSaved: boolean): KeptSecret => ({
  place: `${STORES.name}.${section}`,
  kind: STORES.kind,
  ref: section,
  path,
  reason,
  isSaved,
})

/** The problems with secrets that cannot be saved in the form in which the file gives them. */
export const checkStores = (wanted: readonly Wanted<WantedStore>[], { saved, hasVault }: StoreRows): Problem[] =>
  inOrder(wanted).flatMap(([section, { secrets }]) => {
    const given = Object.keys(givenSecrets(secrets)).length
    const path = [STORES.name, section]
    const feature = { feature: 'credential_encryption' }
    if (given === 0) return []
    if (!hasVault)
      return [problem(path, 'There is no master key to encrypt credentials with', 'FEATURE_NOT_CONFIGURED', feature)]
    if (!isSealed(saved.get(section) ?? null) || given === Object.keys(secrets).length) return []
    return [problem(path, 'The saved secrets were sealed with another master key: give all of them', 'CONFLICT')]
  })

/** The problems with addresses that are new in the file. Saved ones are checked whenever something is sent there. */
export const checkForwards = (wanted: readonly Wanted<WantedStore>[], { saved, config }: StoreRows): Problem[] =>
  inOrder(wanted).flatMap(([section, state]) => {
    const known = urlsIn(saved.get(section)?.config ?? {})
    return urlsIn(state.config).flatMap((url, index) => {
      const fault = known.includes(url) ? null : forwardFault(url, config)
      const path = [STORES.name, section, 'notificationForwards', index]
      if (!fault) return []
      return [problem(path, `The address ${fault.message}`, 'WEBHOOK_URL_REJECTED', { reason: fault.reason })]
    })
  })
