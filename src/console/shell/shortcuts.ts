import { useContext, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { now } from '../lib/clock'
import { fullTimes, singleKeys } from '../lib/keys'
import { ProjectContext } from '../lib/session'
import { ENTRIES, type Entry } from './entries'

/** The second letter after `g`, by entry. */
export const LETTERS: Record<Entry['name'], string> = {
  overview: 'o',
  subscribers: 's',
  revenue: 'r',
  charts: 'c',
  catalogue: 'p',
  growth: 'g',
  connections: 'n',
  settings: ',',
}

const SEQUENCE_MS = 1500

type Open = (what: 'palette' | 'keys') => void

/** The keys of the whole console. Single letters do nothing while somebody types, in menus and under dialogs. */
export function useShortcuts(open: Open): void {
  const here = useContext(ProjectContext)
  const [, go] = useLocation()
  const begun = useRef(0)
  useEffect(() => {
    const toEntry = (key: string): boolean => {
      const entry = ENTRIES.find(({ name }) => LETTERS[name] === key)
      if (!entry || !here) return false
      go(`${here.base}/${entry.name}${here.environment === 'SANDBOX' ? '?env=sandbox' : ''}`)
      return true
    }
    const single = (key: string): boolean => {
      const isSecond = now() - begun.current < SEQUENCE_MS
      begun.current = key === 'g' && !isSecond ? now() : 0
      if (isSecond) return toEntry(key)
      return key === 'g' || act(key, open)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const isCommand = (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k'
      if (isCommand && !isUnderDialog()) open('palette')
      else if (isCommand || !isSingle(event) || !single(event.key)) return
      event.preventDefault()
    }
    const onAsked = () => open('palette')
    addEventListener('keydown', onKey)
    addEventListener('svc:palette', onAsked)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('svc:palette', onAsked)
    }
  }, [here, go, open])
}

function act(key: string, open: Open): boolean {
  if (key === '/') open('palette')
  else if (key === '?') open('keys')
  else if (key === 't') fullTimes.set(!fullTimes.get())
  else if (key === 'j') return moveRow(1)
  else if (key === 'k') return moveRow(-1)
  else if (key === 'c') return copyHere()
  else return false
  return true
}

const isUnderDialog = (): boolean => document.querySelector('dialog[open]') !== null

function isSingle(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || !singleKeys.get() || isUnderDialog()) return false
  const [target] = event.composedPath()
  return !(target instanceof Element && target.closest(TYPING))
}

/** Where letters are text, or choose from a list. */
const TYPING =
  'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable], [role=menu], [role=listbox], .cm-editor'

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#main [data-row]')]
const rowHere = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>('[data-row]') ?? null

function moveRow(by: 1 | -1): boolean {
  const all = rows()
  const row = rowHere()
  const at = row ? all.indexOf(row) + by : by === 1 ? 0 : all.length - 1
  const next = all[Math.max(0, Math.min(all.length - 1, at))]
  if (!next) return false
  const target = next.querySelector<HTMLElement>('a[href], button') ?? next
  if (target === next) next.tabIndex = -1
  target.focus()
  next.scrollIntoView({ block: 'nearest' })
  return true
}

/** Copies the id of the row with the focus, or the first one on the screen. */
function copyHere(): boolean {
  const place = rowHere() ?? document.getElementById('main')
  const button = place?.querySelector<HTMLElement>('[data-copy]')
  button?.click()
  return Boolean(button)
}
