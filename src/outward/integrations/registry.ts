import type { Provider } from './provider'
import { ADJUST } from './providers/adjust'
import { AIRBRIDGE } from './providers/airbridge'
import { AMPLITUDE } from './providers/amplitude'
import { APPSFLYER } from './providers/appsflyer'
import { BRAZE } from './providers/braze'
import { DISCORD } from './providers/discord'
import { FIREBASE } from './providers/firebase'
import { ITERABLE } from './providers/iterable'
import { META_CAPI } from './providers/meta-capi'
import { MIXPANEL } from './providers/mixpanel'
import { ONESIGNAL } from './providers/onesignal'
import { SINGULAR } from './providers/singular'
import { SLACK } from './providers/slack'
import { TIKTOK_EVENTS } from './providers/tiktok-events'

/** All providers, in the order in which people see them. */
export const PROVIDERS: readonly Provider[] = [
  META_CAPI,
  TIKTOK_EVENTS,
  AMPLITUDE,
  MIXPANEL,
  FIREBASE,
  APPSFLYER,
  ADJUST,
  AIRBRIDGE,
  SINGULAR,
  BRAZE,
  ONESIGNAL,
  ITERABLE,
  SLACK,
  DISCORD,
]

const BY_NAME: ReadonlyMap<string, Provider> = new Map(PROVIDERS.map((provider) => [provider.name, provider]))

export const findProvider = (name: string): Provider | null => BY_NAME.get(name) ?? null
