import type { Provider } from './provider'
import { AMPLITUDE } from './providers/amplitude'
import { FIREBASE } from './providers/firebase'
import { META_CAPI } from './providers/meta-capi'
import { MIXPANEL } from './providers/mixpanel'
import { TIKTOK_EVENTS } from './providers/tiktok-events'

/** All providers, in the order in which people see them. */
export const PROVIDERS: readonly Provider[] = [META_CAPI, TIKTOK_EVENTS, AMPLITUDE, MIXPANEL, FIREBASE]

const BY_NAME: ReadonlyMap<string, Provider> = new Map(PROVIDERS.map((provider) => [provider.name, provider]))

export const findProvider = (name: string): Provider | null => BY_NAME.get(name) ?? null
