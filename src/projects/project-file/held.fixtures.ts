import { SECTIONS } from '../../../test/support/sections'
import { NO_FILES } from '../../core/funnel/files'
import type { SavedFunnel } from '../../funnels/publication/service'
import type { Audience } from '../../targeting/audiences/service'
import type { Experiment } from '../../targeting/experiments/stored-experiments'
import type { Flag } from '../../targeting/flags/service'
import type { Placement } from '../../targeting/placements/service'
import type { Access, Currency, CurrencyGrant, Offering, Product } from '../catalog/snapshot'
import type { ProjectRow } from '../project/service'
import type { Current } from './section'

/** The rows of one project in a database, by the sections of its file. */
export interface Held {
  access: readonly Access[]
  virtualCurrencies: readonly Currency[]
  products: readonly Product[]
  grants: readonly CurrencyGrant[]
  offerings: readonly Offering[]
  audiences: readonly Audience[]
  flags: readonly Flag[]
  experiments: readonly Experiment[]
  funnels: readonly SavedFunnel[]
  placements: readonly Placement[]
}

export const EMPTY: Held = {
  access: [],
  virtualCurrencies: [],
  products: [],
  grants: [],
  offerings: [],
  audiences: [{ id: 'aud_all', name: 'All users', description: null, rules: {}, isDefault: true }],
  flags: [],
  experiments: [],
  funnels: [],
  placements: [],
}

const PROJECT_ROW: ProjectRow = {
  id: 'prj_1',
  slug: 'sleep-app',
  name: 'Sleep App',
  timezone: 'UTC',
  allowedOrigins: [],
  termsUrl: null,
  privacyUrl: null,
  logoAssetId: null,
  settings: {},
  configVersion: 1,
  suspendedAt: null,
  deletedAt: null,
  createdAt: 0,
  updatedAt: 0,
}

export interface Facts {
  prune: boolean
  isSlugTaken: boolean
  soldProductIds: ReadonlySet<string>
}

/** The same rows in the form in which the sections load them. */
export function currentOf({ products, grants, ...held }: Held, facts: Partial<Facts> = {}): Current {
  const { isSlugTaken = false, soldProductIds: soldIds = new Set<string>() } = facts
  const rows = {
    ...held,
    project: { project: PROJECT_ROW, isSlugTaken },
    products: { products, grants, soldIds },
    audiences: { audiences: held.audiences, members: new Map(), given: new Map() },
    appLinks: { saved: null },
    sdkDoor: { saved: null, keys: [], taken: new Map() },
    funnels: { funnels: held.funnels, hasTestStore: true, files: NO_FILES },
    stores: { saved: new Map(), hasVault: true },
    webhookEndpoints: { saved: new Map(), hasVault: true },
  }
  return { sections: SECTIONS, project: PROJECT_ROW, rows: new Map(Object.entries(rows)) }
}
