import { useEffect } from 'react'
import type { GetPath, Init } from './client'
import { useList } from './queries'

/** Every item of a list that is short enough to be read whole, such as for a choice: page after page. */
export function useEvery<P extends GetPath>(path: P, init: Init<P, 'get'>, options?: { enabled?: boolean }) {
  const list = useList(path, init, options)
  const { hasMore, isFetchingMore, error, showMore } = list
  useEffect(() => {
    if (hasMore && !isFetchingMore && !error) showMore()
  }, [hasMore, isFetchingMore, error, showMore])
  return { ...list, hasMore: false, isLoading: list.isLoading || (hasMore && !error) }
}
