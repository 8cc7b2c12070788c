import type { Provider } from './provider'
import { AMPLITUDE } from './providers/amplitude'

/** All providers, in the order in which people see them. */
export const PROVIDERS: readonly Provider[] = [AMPLITUDE]

const BY_NAME: ReadonlyMap<string, Provider> = new Map(PROVIDERS.map((provider) => [provider.name, provider]))

export const findProvider = (name: string): Provider | null => BY_NAME.get(name) ?? null
