import type { QueryClient } from '@tanstack/react-query'

interface Quietly {
  /** Whether the answer of this path is meant. */
  isMeant: (path: string) => boolean
  /** Beyond so many pages a person reads old rows: these are not fetched again. */
  mostPages: number
}

/**
 * Reloads the data of the screen, unless the person is about to use it: rows under the pointer do not move, and a running
 * call, such as one for a further page, is not cancelled. Returns whether it reloaded.
 */
export function refreshQuietly(client: QueryClient, { isMeant, mostPages }: Quietly): boolean {
  const predicate = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
    typeof path === 'string' && isMeant(path)
  if (document.querySelector('[data-row]:hover') || client.isFetching({ predicate }) > 0) return false
  void client.invalidateQueries({ predicate: (one) => predicate(one) && pagesOf(one.state.data) <= mostPages })
  return true
}

const pagesOf = (data: unknown): number => (data as { pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0
