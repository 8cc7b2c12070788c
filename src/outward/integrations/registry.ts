import type { Provider } from './provider'
import { ADJUST } from './providers/adjust'
import { AIRBRIDGE } from './providers/airbridge'
import { AMPLITUDE } from './providers/amplitude'
import { APPSFLYER } from './providers/appsflyer'
import { BRAZE } from './providers/braze'
import { DISCORD } from './providers/discord'
import { ITERABLE } from './providers/iterable'
import { ONESIGNAL } from './providers/onesignal'
import { SINGULAR } from './providers/singular'
import { SLACK } from './providers/slack'

/** All providers, in the order in which people see them. */
export const PROVIDERS: readonly Provider[] = [
  AMPLITUDE,
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
