import { useEffect, useReducer, useState } from 'react'

/** Code that is fetched before it is first shown. */
export interface Part<T> {
  fetch: () => Promise<T>
  /** Undefined until it was fetched. */
  get: () => T | undefined
}

export function makePart<T>(load: () => Promise<T>): Part<T> {
  let part: T | undefined
  let fetched: Promise<T> | undefined
  const fetch = async (): Promise<T> => {
    part = await load()
    return part
  }
  return {
    get: () => part,
    fetch: () => {
      fetched ??= fetch().catch((error) => {
        fetched = undefined
        throw error
      })
      return fetched
    },
  }
}

/**
 * The part as soon as it is there. What cannot be fetched is thrown to the boundary around.
 *
 * It does not suspend: React holds back for 300 ms whatever takes the place of a placeholder of `Suspense`.
 */
export function usePart<T>(part: Part<T>): T | undefined {
  const [error, setError] = useState<unknown>(null)
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (part.get() !== undefined) return drawAgain()
    let isShown = true
    part.fetch().then(
      () => isShown && drawAgain(),
      (cause) => isShown && setError(cause),
    )
    return () => {
      isShown = false
    }
  }, [part])
  if (error) throw error
  return part.get()
}
