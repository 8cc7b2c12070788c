import type { QueryClient } from '@tanstack/react-query'

interface Quietly {
  /** Whether the answer of this path is meant. */
  isMeant: (path: string) => boolean
  /** Somebody who went on further than so many pages reads old rows: theirs are not fetched again. */
  mostPages: number
}

/**
 * Reads what is on the screen again, unless the person is about to use it: rows hold still under the pointer, and a call that
 * is under way, such as for a further page, is not ended. Returns whether it was done.
 */
export function refreshQuietly(client: QueryClient, { isMeant, mostPages }: Quietly): boolean {
  const predicate = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
    typeof path === 'string' && isMeant(path)
  if (document.querySelector('[data-row]:hover') || client.isFetching({ predicate }) > 0) return false
  void client.invalidateQueries({ predicate: (one) => predicate(one) && pagesOf(one.state.data) <= mostPages })
  return true
}

const pagesOf = (data: unknown): number => (data as { pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0
