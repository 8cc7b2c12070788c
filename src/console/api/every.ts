import { useEffect } from 'react'
import { type GetPath, type Init, read } from './client'
import { ApiFailure } from './failure'
import { type Source, useList } from './queries'

/** Every item of a list that is short enough to be read whole, such as for a choice: page after page. */
export function useEvery<P extends GetPath>(path: P, init: Init<P, 'get'>, options?: { enabled?: boolean }) {
  const list = useList(path, init, options)
  const { hasMore, isFetchingMore, error, showMore } = list
  useEffect(() => {
    if (hasMore && !isFetchingMore && !error) showMore()
  }, [hasMore, isFetchingMore, error, showMore])
  // After a failure the rest can be asked for by hand.
  return { ...list, hasMore: hasMore && error !== null, isLoading: list.isLoading || (hasMore && !error) }
}

/** The largest page that the API gives. */
const LARGEST = 200
const MOST_TRIES = 6

/** A whole list, page by page. A call without an answer, and one that is limited (429), is repeated. */
export async function* everyPage({ path, params }: Source, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
  let cursor: string | null = null
  do {
    const init = { params: { ...params, query: { ...params.query, limit: LARGEST, ...(cursor && { cursor }) } } }
    signal.throwIfAborted()
    const page: Page = await patiently(() => read(path, init as unknown as Init<GetPath, 'get'>), signal)
    yield page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}

interface Page {
  items: readonly unknown[]
  nextCursor: string | null
}

async function patiently(call: () => Promise<unknown>, signal: AbortSignal): Promise<Page> {
  for (let tries = 1; ; tries++) {
    try {
      return (await call()) as Page
    } catch (error) {
      signal.throwIfAborted()
      const isFinal = error instanceof ApiFailure && error.status !== 429 && error.status !== 503
      if (isFinal || tries === MOST_TRIES) throw error
      await pause(error instanceof ApiFailure ? (error.retryAfter ?? tries) : 2 ** tries, signal)
    }
  }
}

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
