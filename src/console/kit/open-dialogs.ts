import { type RefObject, useEffect } from 'react'
import { makeStore } from '../lib/store'

const OPEN = makeStore<readonly HTMLElement[]>([])

/** Counts a modal dialog as open while its component is on the screen. */
export function useOpenDialog(dialog: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    OPEN.set([...OPEN.get(), element])
    return () => OPEN.set(OPEN.get().filter((one) => one !== element))
  }, [dialog])
}

/** The dialog on top; everything outside of it can be neither clicked nor read. */
export const useTopDialog = (): HTMLElement | null => OPEN.use().at(-1) ?? null
