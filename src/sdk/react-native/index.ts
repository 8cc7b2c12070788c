import type { Client } from '../core/client'
import { withoutPage } from '../core/globals'
import type { Options, Storage } from '../core/model'
import { configureIn } from '../core/module'

export * from '../core/index'

/** The async storage of React Native, as far as the client uses it. */
export interface AsyncStorage {
  getItem(key: string): Promise<string | null>
  setItem(key: string, text: string): Promise<unknown>
  removeItem(key: string): Promise<unknown>
}

/** `AppState` of React Native. */
export interface AppState {
  addEventListener(type: 'change', listener: (state: string) => void): { remove(): void }
}

export interface NativeOptions extends Omit<Options, 'storage'> {
  /** `Platform.OS` of React Native. */
  platform: string
  /** Without one, nothing is kept after this session. */
  storage?: AsyncStorage | Storage
  /** Tells when the app comes to the foreground and leaves it. */
  appState?: AppState
}

/** Makes a client in an app of React Native. */
export async function configure({ platform, storage, appState, ...options }: NativeOptions): Promise<Client> {
  const kept = storage && ('getItem' in storage ? adapterOf(storage) : storage)
  const client = await configureIn({ ...options, ...(kept && { storage: kept }) }, { globals: withoutPage(), platform })
  const { core, late } = client.inner
  const listening = appState?.addEventListener('change', (state) => {
    void late().then((life) => life[state === 'active' ? 'shown' : 'hidden']())
  })
  core.ends.push(() => listening?.remove())
  return client
}

const adapterOf = (storage: AsyncStorage): Storage => ({
  get: (key) => storage.getItem(key),
  set: (key, text) => storage.setItem(key, text),
  remove: (key) => storage.removeItem(key),
})
