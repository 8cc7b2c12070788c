import { createContext } from 'react'
import { makeStore } from './store'

const KEY = 'svc.keys'

/** Whether single letters are shortcuts. Some people speak or press letters by accident (WCAG 2.1.4). */
export const singleKeys = makeStore(localStorage.getItem(KEY) !== 'off')
singleKeys.subscribe(() => localStorage.setItem(KEY, singleKeys.get() ? 'on' : 'off'))

/** How a key is written that is pressed with the one for commands: `⌘K` at Apple's, else `Ctrl K`. */
export const commandKeys = (key: string): string =>
  /Mac|iPhone|iPad/.test(navigator.platform) ? `⌘${key}` : `Ctrl ${key}`

/** Whether times are written in full instead of relative to now. */
export const fullTimes = makeStore(false)

/** The same for the many times on a screen. */
export const FullTimesContext = createContext(false)
