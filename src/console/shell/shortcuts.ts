import { useContext, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { hasAssistant, toggleAssistant } from '../lib/assistant-panel'
import { now } from '../lib/clock'
import { fullTimes, singleKeys } from '../lib/keys'
import { askRow, focusRow, rowHere } from '../lib/rows'
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

/** The keys of the whole console. Single letters do nothing while the person types, in menus and under dialogs. */
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
      const command = (event.metaKey || event.ctrlKey) && !event.altKey ? event.key.toLowerCase() : ''
      const isCommand = command === 'k' || (command === 'j' && here !== null && hasAssistant(here))
      if (isCommand && !isUnderDialog()) command === 'k' ? open('palette') : toggleAssistant()
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
  else return ACTS[key]?.() ?? false
  return true
}

/** What keys do on the screen; false where there is nothing to do it with. */
const ACTS: Record<string, () => boolean> = {
  j: () => moveRow(1),
  k: () => moveRow(-1),
  c: copyHere,
  e: editHere,
  x: selectHere,
  ' ': pauseHere,
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

function moveRow(by: 1 | -1): boolean {
  const all = rows()
  const row = rowHere()
  const next = row ? (all[all.indexOf(row) + by] ?? row) : (all.find(isSeen) ?? all[0])
  if (next) focusRow(next)
  return next !== undefined
}

const isSeen = (row: HTMLElement): boolean => row.getBoundingClientRect().top >= 0

function selectHere(): boolean {
  const row = rowHere()
  return row !== null && askRow(row, 'select')
}

/** Copies the id of the row with the focus, or of the object of the screen. */
function copyHere(): boolean {
  const row = rowHere()
  const buttons = [...(row ?? document.getElementById('main') ?? document).querySelectorAll<HTMLElement>('[data-copy]')]
  if (row?.dataset.row) {
    const shown = buttons.find(({ dataset }) => dataset.copy === row.dataset.row)
    if (!shown) return askRow(row, 'copy')
    shown.click()
    return true
  }
  const last = location.pathname.split('/').at(-1)
  const button =
    buttons.find(({ dataset }) => dataset.copy === last) ?? buttons.find((one) => row || !one.closest('[data-row]'))
  button?.click()
  return button !== undefined
}

/** Opens the row with the focus, or starts to edit the object of the screen: its button, or its first field. */
function editHere(): boolean {
  const row = rowHere()
  const place = row ?? document.getElementById('main')
  const button =
    place?.querySelector<HTMLElement>('[data-edit]:not(:disabled, [aria-disabled])') ?? (row ? openerOf(row) : null)
  if (button) button.click()
  const field = button || row ? null : firstField()
  field?.focus()
  return Boolean(button ?? field)
}

const openerOf = (row: HTMLElement): HTMLElement | null =>
  (row.querySelector('td') ?? row).querySelector<HTMLElement>('a[href], button:not([data-copy])')

const firstField = (): HTMLElement | null =>
  document.querySelector<HTMLElement>(
    ['input', 'textarea', 'select'].map((name) => `#main :is([data-fields], form) ${name}:enabled`).join(', '),
  )

/**
 * Pauses the stream of events on the screen, or continues it. Where a control has the focus, the key is the control's.
 */
function pauseHere(): boolean {
  if (document.activeElement?.closest('button, summary, input, [role=slider]')) return false
  const button = document.querySelector<HTMLElement>('#main [data-pause]')
  button?.click()
  return button !== null
}
