import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import { type Command, matching } from './commands'
import { useCommands } from './palette-commands'
import { useFound } from './palette-search'

interface PaletteProps {
  onClose: () => void
  onKeys: () => void
}

/** ⌘K: screens, acts and every object of the project. A combobox: the focus stays in the field, arrows move the choice. */
export default function Palette({ onClose, onKeys }: PaletteProps) {
  const t = useText('common')
  const list = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { found, isSearching } = useFound(text)
  const commands = useCommands(onKeys)
  const lines = [...found, ...matching(commands, text)]
  const chosen = lines[Math.min(at, lines.length - 1)]
  const dialog = useModal(onClose)
  const choose = (line: Command | undefined) => {
    if (!line) return
    onClose()
    line.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const next = moved(event.key, Math.min(at, lines.length - 1), lines.length)
    if (next !== null) setAt(next)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t.searchOrJump}
      className="mx-auto mt-[12vh] mb-auto max-h-[70dvh] w-[min(600px,calc(100vw-24px))] overflow-hidden rounded-dialog border border-line bg-raised p-0 shadow-float animate-pop"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden size={16} className="shrink-0 text-ink-2" />
        <input
          type="text"
          role="combobox"
          aria-label={t.searchOrJump}
          aria-expanded
          aria-controls={list}
          aria-activedescendant={chosen ? `${list}-${lines.indexOf(chosen)}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          placeholder={t.paletteHint}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
          className="h-12 min-w-0 flex-1 bg-transparent text-md outline-none"
        />
        <kbd aria-hidden className="rounded-chip border border-line-2 px-1.5 font-sans text-2xs text-ink-2">
          esc
        </kbd>
      </div>
      <div
        id={list}
        role="listbox"
        aria-label={t.searchOrJump}
        className="max-h-[calc(70dvh-49px)] overflow-y-auto p-1.5"
      >
        {lines.map((line, index) => (
          <Line key={line.id} id={`${list}-${index}`} line={line} isChosen={line === chosen} onChoose={choose} />
        ))}
      </div>
      <p role="status" className={cx('px-5 text-sm text-ink-2', lines.length === 0 ? 'pb-5' : 'sr-only')}>
        {lines.length === 0 ? (isSearching ? t.loading : t.paletteNothing) : t.paletteCount(lines.length)}
      </p>
    </dialog>
  )
}

interface LineProps {
  id: string
  line: Command
  isChosen: boolean
  onChoose: (line: Command) => void
}

function Line({ id, line, isChosen, onChoose }: LineProps) {
  const item = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
    <div
      ref={item}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(line)}
      className={cx(
        'flex min-h-9 cursor-pointer items-center gap-3 rounded-inner px-3 text-sm hover:bg-hover',
        isChosen && 'bg-hover',
      )}
    >
      <span className="w-20 shrink-0 truncate text-xs text-ink-2">{line.kind}</span>
      <span className="min-w-0 flex-1 truncate">
        {line.title}
        {line.subtitle && <span className="text-ink-2"> {line.subtitle}</span>}
      </span>
      {line.keys && <span className="shrink-0 text-2xs text-ink-2">{line.keys}</span>}
    </div>
  )
}

function moved(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(at + 8, count - 1)
  return key === 'PageUp' ? Math.max(at - 8, 0) : null
}

function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    element?.querySelector('input')?.focus()
    const onCancel = (event: Event) => {
      event.preventDefault()
      close.current()
    }
    const onDown = (event: MouseEvent) => event.target === element && close.current()
    element?.addEventListener('cancel', onCancel)
    element?.addEventListener('mousedown', onDown)
    return () => {
      element?.removeEventListener('cancel', onCancel)
      element?.removeEventListener('mousedown', onDown)
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return dialog
}
