import { useSyncExternalStore } from 'react'

let isPrinting = false

function subscribe(onChange: () => void): () => void {
  const begin = () => {
    isPrinting = true
    onChange()
  }
  const end = () => {
    isPrinting = false
    onChange()
  }
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  return () => {
    removeEventListener('beforeprint', begin)
    removeEventListener('afterprint', end)
  }
}

/** Whether the screen is being printed: then all rows of a list are in the document. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
