import type { Balances, Config, Entitlement, Offering, Offerings, Package } from './model'

/** What one request at the start can read together. */
export interface Values {
  entitlements: Entitlement[]
  config: Config
  offerings: Offerings
  balances: Balances
}

export type Part = keyof Values

interface AccessEntry {
  isActive: boolean
  expiresDate?: string | null
  store: string
  productIdentifier: string
}

interface WirePackage extends Omit<Package, 'identifier' | 'product'> {
  packageIdentifier: string
  identifier: string
  type: string
  displayName: string
}

export interface WireOffering extends Omit<Offering, 'packages'> {
  packages: WirePackage[]
}

interface Wire extends Config {
  entitlements: Record<string, AccessEntry>
  offerings: WireOffering[]
  balances: Balances
}

/** The value of a part from the data of its answer. Each throws when the data is something else. */
export const VALUES: { [P in Part]: (data: Wire, now: number) => Values[P] } = {
  // What has ended since it was read is not active: a device without network may keep an answer for days.
  entitlements: ({ entitlements }, now) =>
    Object.entries(entitlements).map(([id, { isActive, expiresDate, productIdentifier, store }]) => ({
      id,
      isActive: isActive && !(Date.parse(expiresDate ?? '') <= now),
      productIdentifier,
      store,
      expiresIso: expiresDate ?? undefined,
    })),
  config: ({ flags, experiments }) => ({ flags: map(flags), experiments: map(experiments) }),
  offerings({ offerings }) {
    const list = offerings.map(offeringOf)
    const all: Offerings['all'] = {}
    for (const one of list) all[one.identifier] = one
    return { current: list.find(({ isDefault }) => isDefault) ?? null, all }
  },
  balances: ({ balances }) => map(balances),
}

/** The object itself. Throws when it is none. */
const map = <T extends object>(value: T): T => Object.keys(value) && value

export const offeringOf = (one: WireOffering): Offering => ({ ...one, packages: one.packages.map(packageOf) })

const packageOf = ({ packageIdentifier, identifier, type, displayName, ...rest }: WirePackage): Package => ({
  ...rest,
  identifier: packageIdentifier,
  product: {
    id: identifier,
    type: type.toLowerCase() as Package['product']['type'],
    displayName,
    priceString: null,
    price: null,
    currencyCode: null,
  },
})
