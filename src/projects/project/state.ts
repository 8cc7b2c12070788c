import type { ProjectSettings } from '../../core/project/schema'

/** A key as it is kept in memory for the key check. */
export interface KeyState {
  id: string
  projectId: string
  publicKey: string | null
  /** Which half of the key the caller presented. */
  presented: 'public' | 'secret'
  /** Null = the allowed origins of the project apply. */
  allowedOrigins: readonly string[] | null
  ratePerMinute: number | null
  expiresAt: number | null
}

/** The iOS app whose receipts the project accepts. */
export interface IosSettings {
  bundleId: string
  /** The numeric id of the app in the store. Production notifications cannot be checked without it. */
  appId: string | null
}

/** The Android app whose purchases the project accepts. */
export interface AndroidSettings {
  packageName: string
  /** The e-mail address of the service account in the saved credentials. */
  clientEmail: string | null
}

/** The account at the payment provider that a project sells through. */
export interface PaymentSettings {
  mode: PaymentMode
  /** A connected account, for which the platform's key is used; null when the project saved keys of its own. */
  accountId: string | null
  /** With it pages reach the provider from the browser; null = funnels take no payment. */
  publishableKey: string | null
}

export type PaymentMode = 'test' | 'live'

/** The parts of a project's configuration that other slices add. Each declares its part here; its manifest loads it. */
// biome-ignore lint/suspicious/noEmptyInterface: slices add their parts to it by declaration merging.
export interface ProjectParts {}

/** A project's configuration at one version. It is immutable and shared by all requests until the next version. */
export interface ProjectState extends ProjectParts {
  id: string
  slug: string
  name: string
  /** IANA name: where the days of its figures start. */
  timezone: string
  allowedOrigins: readonly string[]
  settings: Readonly<ProjectSettings>
  configVersion: number
  /** The instant since which its dashboard is closed; null = open. */
  suspendedAt: number | null
  ios: IosSettings | null
  android: AndroidSettings | null
  payment: PaymentSettings | null
}
