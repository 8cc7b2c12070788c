import {
  createContext,
  createElement,
  type FunctionComponent,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Client } from '../core/client'
import type { Balances, Entitlement, Offerings, Placement, PlacementId, Read } from '../core/model'
import type { Part, Values } from '../core/values'

const Context = createContext<Client | null>(null)

/** Gives the client to the hooks below it. It may be null until `configure` is done: the hooks then give their defaults. */
export const SvcProvider: FunctionComponent<{ client: Client | null; children?: ReactNode }> = ({ client, children }) =>
  createElement(Context.Provider, { value: client }, children)

/** What a hook knows: a value that may be missing still, or an error. */
export interface Loaded<T> {
  value: T | null
  isStale: boolean
  fetchedAt: number | null
  isLoading: boolean
  error: unknown
}

const LOADING: Loaded<never> = { value: null, isStale: false, fetchedAt: null, isLoading: true, error: null }
const never = () => () => {}

/** A value that changes with the client. On the server, and while a page is hydrated, it is the default. */
function useNow<T>(read: (client: Client) => T, fallback: T): T {
  const client = useContext(Context)
  return useSyncExternalStore(
    client?.on ?? never,
    () => (client ? read(client) : fallback),
    () => fallback,
  )
}

export const useFlag: Client['flag'] = (key, fallback) => useNow((client) => client.flag(key, fallback), fallback)

export const useExperiment: Client['experiment'] = (key) => useNow((client) => client.experiment(key), null)

/** The promise of the client, again when what it depends on changes. */
function useLoaded<T>(load: (client: Client) => Promise<Read<T>>, key: unknown): Loaded<T> {
  const client = useContext(Context)
  const [loaded, set] = useState<Loaded<T>>(LOADING)
  useEffect(() => {
    let isHere = !!client
    if (client)
      load(client).then(
        (read) => isHere && set({ ...read, isLoading: false, error: null }),
        (error) => isHere && set({ ...LOADING, ...error.cached, isLoading: false, error }),
      )
    return () => {
      isHere = false
    }
  }, [client, key])
  return loaded
}

/** What was read last, and what is read when the component appears. */
function usePart<P extends Part>(part: P, load: (client: Client) => Promise<Read<Values[P]>>): Loaded<Values[P]> {
  const now = useNow<Read<Values[P]> | null>((client) => client.peek(part), null)
  const user = useNow<string | null>((client) => client.currentUser().appUserId, null)
  const loaded = useLoaded(load, user)
  return now ? { ...loaded, ...now, isStale: loaded.isStale, isLoading: false } : loaded
}

export const useEntitlements = (): Loaded<Entitlement[]> => usePart('entitlements', (client) => client.entitlements())

export const useOfferings = (): Loaded<Offerings> => usePart('offerings', (client) => client.offerings())

export const useBalances = (): Loaded<Balances> => usePart('balances', (client) => client.balances())

export const usePlacement = (id: PlacementId, locale?: string): Loaded<Placement> =>
  useLoaded((client) => client.placement(id, locale ? { locale } : {}), `${id} ${locale}`)
