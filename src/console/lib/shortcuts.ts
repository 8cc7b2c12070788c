import { makeStore } from './store'

const KEY = 'svc.shortcuts'

/**
 * Whether single keys do something outside of fields (WCAG 2.1.4). Kept in the browser, because it belongs to the
 * keyboard and not to the account. Read it before a key of one letter acts; ⌘K and Escape always work.
 */
export const singleKeys = makeStore(localStorage.getItem(KEY) !== 'off')

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'off')
  singleKeys.set(isOn)
}
