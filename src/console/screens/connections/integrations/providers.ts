import type { Schemas } from '../../../api/schemas'

export type Provider = Schemas['IntegrationInput']['provider']

/** One member of the credentials. */
export interface Member {
  name: string
  kind: 'text' | 'secret' | 'choice' | 'events'
  isOptional?: boolean
  example?: string
  choices?: readonly string[]
}

export interface ProviderForm {
  title: string
  kind: 'ADS' | 'ANALYTICS' | 'ATTRIBUTION' | 'LIFECYCLE' | 'CHAT'
  /** A project may have several connections. */
  isRepeatable?: boolean
  members: readonly Member[]
}

const text = (name: string, example = ''): Member => ({ name, kind: 'text', example })
const secret = (name: string): Member => ({ name, kind: 'secret' })
const choice = (name: string, ...choices: string[]): Member => ({ name, kind: 'choice', choices })
const optional = (member: Member): Member => ({ ...member, isOptional: true })
const eventTokens: Member = { name: 'eventTokens', kind: 'events', isOptional: true }

/** The providers in the order in which people see them, with the members of their credentials as the API takes them. */
export const PROVIDERS: Readonly<Record<Provider, ProviderForm>> = {
  META_CAPI: {
    title: 'Meta Conversions API',
    kind: 'ADS',
    members: [text('pixelId', '123456789012345'), secret('accessToken'), optional(text('testEventCode', 'TEST12345'))],
  },
  TIKTOK_EVENTS: {
    title: 'TikTok Events API',
    kind: 'ADS',
    members: [text('pixelCode', 'C4ABCDEFGHIJ'), secret('accessToken')],
  },
  AMPLITUDE: { title: 'Amplitude', kind: 'ANALYTICS', members: [secret('apiKey'), choice('region', 'US', 'EU')] },
  MIXPANEL: {
    title: 'Mixpanel',
    kind: 'ANALYTICS',
    members: [secret('projectToken'), choice('region', 'US', 'EU', 'IN')],
  },
  FIREBASE: {
    title: 'Firebase and Google Analytics',
    kind: 'ANALYTICS',
    members: [text('measurementId', 'G-ABC123DEF4'), secret('apiSecret')],
  },
  APPSFLYER: {
    title: 'AppsFlyer',
    kind: 'ATTRIBUTION',
    members: [
      ...[optional(text('iosAppId', 'id123456789')), optional(secret('iosKey'))],
      ...[optional(text('androidAppId', 'com.example.app')), optional(secret('androidKey')), eventTokens],
    ],
  },
  ADJUST: {
    title: 'Adjust',
    kind: 'ATTRIBUTION',
    members: [
      ...[optional(text('iosAppId', 'abc123def456')), optional(secret('iosKey'))],
      ...[optional(text('androidAppId', 'abc123def456')), optional(secret('androidKey'))],
      { ...eventTokens, isOptional: false },
    ],
  },
  AIRBRIDGE: {
    title: 'Airbridge',
    kind: 'ATTRIBUTION',
    members: [
      ...[text('appName', 'exampleapp'), secret('apiToken')],
      ...[
        optional(text('iosAppId', 'com.example.app')),
        optional(text('androidAppId', 'com.example.app')),
        eventTokens,
      ],
    ],
  },
  SINGULAR: {
    title: 'Singular',
    kind: 'ATTRIBUTION',
    members: [
      ...[secret('sdkKey'), optional(text('iosAppId', 'com.example.app'))],
      ...[optional(text('androidAppId', 'com.example.app')), eventTokens],
    ],
  },
  BRAZE: {
    title: 'Braze',
    kind: 'LIFECYCLE',
    members: [secret('apiKey'), text('endpoint', 'https://rest.fra-02.braze.eu'), optional(text('appId'))],
  },
  ONESIGNAL: { title: 'OneSignal', kind: 'LIFECYCLE', members: [secret('apiKey'), text('appId')] },
  ITERABLE: {
    title: 'Iterable',
    kind: 'LIFECYCLE',
    members: [
      secret('apiKey'),
      optional(choice('endpoint', '', 'https://api.iterable.com', 'https://api.eu.iterable.com')),
    ],
  },
  SLACK: { title: 'Slack', kind: 'CHAT', isRepeatable: true, members: [secret('webhookUrl')] },
  DISCORD: { title: 'Discord', kind: 'CHAT', isRepeatable: true, members: [secret('webhookUrl')] },
}

const NAMES = Object.keys(PROVIDERS) as Provider[] // The keys of the table are the names.

export const providerOf = (name: string): Provider | null => NAMES.find((one) => one === name) ?? null

export const namesOfKind = (kind: ProviderForm['kind']): Provider[] =>
  NAMES.filter((name) => PROVIDERS[name].kind === kind)

export const KINDS = ['ADS', 'ANALYTICS', 'ATTRIBUTION', 'LIFECYCLE', 'CHAT'] as const

export const titleOf = (name: string): string => {
  const known = providerOf(name)
  return known ? PROVIDERS[known].title : name
}
