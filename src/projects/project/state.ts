import type { ProjectSettings } from './settings'

/** A key as the key check holds it in memory. */
export interface KeyState {
  id: string
  projectId: string
  publicKey: string | null
  /** Which half the caller presented. */
  presented: 'public' | 'secret'
  /** Null = the project's list. */
  allowedOrigins: readonly string[] | null
  ratePerMinute: number | null
  expiresAt: number | null
}

/** What an iOS app must be for its receipts to count in the project. */
export interface IosSettings {
  bundleId: string
  /** Numeric id at the store; Production notifications need it. */
  appId: string | null
}

/** What an Android app must be for its purchases to count in the project. */
export interface AndroidSettings {
  packageName: string
  /** E-mail of the service account, as the saved credentials name it. */
  clientEmail: string | null
}

/** The account at the payment provider that a project sells through. */
export interface PaymentSettings {
  mode: PaymentMode
  /** A connected account, for which the platform's key speaks; null when the project saved keys of its own. */
  accountId: string | null
}

export type PaymentMode = 'test' | 'live'

/** What slices make of a project's configuration. Each declares its part here, and its manifest loads it. */
// biome-ignore lint/suspicious/noEmptyInterface: slices declare their parts into it.
export interface ProjectParts {}

/** A project's configuration at one version: immutable, shared by all requests until the next version. */
export interface ProjectState extends ProjectParts {
  id: string
  slug: string
  name: string
  allowedOrigins: readonly string[]
  settings: Readonly<ProjectSettings>
  configVersion: number
  /** Since when its dashboard is closed; null = open. */
  suspendedAt: number | null
  ios: IosSettings | null
  android: AndroidSettings | null
  payment: PaymentSettings | null
}
