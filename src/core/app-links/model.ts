/** Where the apps of a project are: what Apple's and Google's files and the links to the app are made from (funnels 7). */
export interface AppLinks {
  ios: IosAppLinks | null
  android: AndroidAppLinks | null
  /** The text with which Apple checks that a domain may show Apple Pay. */
  applePayAssociation: string | null
}

export interface IosAppLinks {
  teamId: string
  bundleIds: string[]
  scheme: string
  storeUrl: string | null
}

export interface AndroidAppLinks {
  packageNames: string[]
  /** SHA-256 of the certificates that sign the app, as `AB:CD:…`. */
  sha256Fingerprints: string[]
  scheme: string
  storeUrl: string | null
}

export const MAX_APPS = 5
export const MAX_FINGERPRINTS = 10
export const MAX_ASSOCIATION_BYTES = 16 * 1024
export const MAX_STORE_URL = 500

export const NO_APP_LINKS: AppLinks = { ios: null, android: null, applePayAssociation: null }
