import {
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Data, type GetPath, type Init, read } from './client'
import { ApiFailure, isConflict } from './failure'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The server may be on this machine or in the same network: it can be reachable while the browser is offline.
      networkMode: 'always',
      staleTime: 30_000,
      retry: (count, error) => count < 5 && canRetry(error),
      retryDelay: (count, error) =>
        (error instanceof ApiFailure && error.retryAfter !== null ? error.retryAfter : 2 ** count) * 1000,
      throwOnError: false,
    },
    // Not kept for later: an action that was given up must not be done when the network is back.
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Longer pauses are left to the person, who sees how long they are. */
const LONGEST_PAUSE_SECONDS = 10

/** The server does not answer, or announces that it will soon: the call can succeed without a change by the person. */
const canRetry = (error: Error): boolean =>
  !(error instanceof ApiFailure) || (isBusy(error) && (error.retryAfter ?? Infinity) <= LONGEST_PAUSE_SECONDS)

const isBusy = ({ status }: ApiFailure): boolean => status === 503 || status === 429

interface ReadOptions {
  enabled?: boolean
  /** Milliseconds between two calls while the page is visible. */
  every?: number
  /** Keeps the answer of before on the screen while another one is fetched. */
  keep?: boolean
}

/** The answer of one path. The cache knows it by path and parameters: see `refresh`. */
export function useRead<P extends GetPath>(
  path: P,
  init: Init<P, 'get'>,
  { enabled = true, every, keep = true }: ReadOptions = {},
): UseQueryResult<Data<P, 'get'>, Error> {
  return useQuery({
    queryKey: [path, init],
    queryFn: () => read(path, init) as Promise<unknown>,
    enabled,
    ...(every !== undefined && { refetchInterval: every }),
    ...(keep && {
      placeholderData: (before: unknown, last?: { queryKey: readonly unknown[] }) =>
        last && placeOf(last.queryKey[1]) === placeOf(init) ? before : undefined,
    }),
  }) as unknown as UseQueryResult<Data<P, 'get'>, Error>
}

/** An answer of another project, object or environment must not be shown instead. */
function placeOf(init: unknown): string {
  const { params } = (init ?? {}) as { params?: { path?: object; query?: { environment?: string } } }
  return JSON.stringify([params?.path, params?.query?.environment])
}

/** Asks for an answer that a screen will read in a moment with `useRead`. A failure is not asked for again. */
export function readAhead<P extends GetPath>(path: P, init: Init<P, 'get'>): Promise<Data<P, 'get'>> {
  return queries.fetchQuery({
    queryKey: [path, init],
    queryFn: () => read(path, init) as Promise<unknown>,
    retry: false,
  }) as Promise<Data<P, 'get'>>
}

type ItemOf<D> = D extends { items: readonly (infer I)[] } ? I : never

/** A list that grows by "Show more": the pages that were fetched so far, as one list of items. */
export interface Listing<I> {
  items: I[]
  hasMore: boolean
  showMore: () => void
  isLoading: boolean
  isFetchingMore: boolean
  error: Error | null
  retry: () => void
  /** Where the list comes from. */
  source?: Source
}

/** The call that reads a list. */
export interface Source {
  path: GetPath
  params: { path?: Readonly<Record<string, unknown>>; query?: Readonly<Record<string, unknown>> }
}

/** A list of many pages is not read again when the person comes back to it: each page is a call. */
const isShort = ({ state: { data } }: { state: { data?: unknown } }): boolean =>
  ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= SHORT

const SHORT = 3

export function useList<P extends GetPath>(
  path: P,
  init: Init<P, 'get'>,
  { enabled = true, every }: Pick<ReadOptions, 'enabled' | 'every'> = {},
): Listing<ItemOf<Data<P, 'get'>>> {
  type Page = { items: ItemOf<Data<P, 'get'>>[]; nextCursor: string | null }
  const query = useInfiniteQuery({
    queryKey: [path, init, 'pages'],
    queryFn: ({ pageParam }) => read(path, withCursor(init, pageParam)) as Promise<Page>,
    initialPageParam: null as string | null,
    getNextPageParam: (last: Page) => last.nextCursor,
    enabled,
    ...(every !== undefined && { refetchInterval: (one: Parameters<typeof isShort>[0]) => isShort(one) && every }),
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    refetchOnMount: (one) => one.state.isInvalidated || isShort(one),
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  // A page can be empty although others follow: the server looks at so many rows only in one call.
  const mustGoOn = items.length === 0 && query.hasNextPage && query.error === null
  const { fetchNextPage, isFetchingNextPage } = query
  useEffect(() => {
    if (mustGoOn && !isFetchingNextPage) void fetchNextPage()
  }, [mustGoOn, isFetchingNextPage, fetchNextPage])
  return {
    items,
    hasMore: query.hasNextPage,
    showMore: () => void fetchNextPage(),
    isLoading: query.isLoading || mustGoOn,
    isFetchingMore: isFetchingNextPage,
    error: query.error,
    retry: () => void query.refetch(),
    source: { path, params: (init as unknown as { params?: Source['params'] } | undefined)?.params ?? {} },
  }
}

function withCursor<P extends GetPath>(init: Init<P, 'get'>, cursor: string | null): Init<P, 'get'> {
  if (cursor === null) return init
  const { params, ...rest } = init as unknown as { params?: { query?: object } }
  return { ...rest, params: { ...params, query: { ...params?.query, cursor } } } as unknown as Init<P, 'get'>
}

interface Action<A, R> {
  run: (argument: A) => Promise<R>
  /** Paths whose answers the change made old; all paths that start so are fetched again. */
  refreshes?: readonly string[]
  onDone?: (result: R, argument: A) => void
  onFailure?: (error: Error) => void
}

/** One change at the server. `submit` does nothing while one is under way. */
export function useAction<A, R>({ run, refreshes = [], onDone, onFailure }: Action<A, R>) {
  const refresh = useRefresh()
  // Not a state: an action that is offered after the answer, such as undo, calls `submit` of an earlier render.
  const isUnderWay = useRef(false)
  const mutation = useMutation({
    mutationFn: async (argument: A) => {
      try {
        return await run(argument)
      } finally {
        isUnderWay.current = false
      }
    },
    onSuccess: (result, argument) => {
      refresh(...refreshes)
      onDone?.(result, argument)
    },
    onError: (error) => {
      // Another person was faster: the change can be tried again on their version.
      if (isConflict(error)) refresh(...refreshes)
      onFailure?.(error)
    },
  })
  return {
    submit: (argument: A) => {
      if (isUnderWay.current) return
      isUnderWay.current = true
      mutation.mutate(argument)
    },
    busy: mutation.isPending,
    error: mutation.error,
    result: mutation.data ?? null,
    reset: mutation.reset,
  }
}

/** Fetches every answer again whose path starts with one of the given ones. */
export function useRefresh(): (...paths: string[]) => void {
  const client = useQueryClient()
  return (...paths) =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => typeof path === 'string' && paths.some((start) => path.startsWith(start)),
    })
}
