import { CalendarDays } from 'lucide-react'
import { type InputHTMLAttributes, type KeyboardEvent, useRef, useState } from 'react'
import { cx } from '../lib/class-names'
import { laterWall, readWall, type Wall, wallText } from '../lib/date-text'
import { useReading } from '../lib/session'
import { useText } from '../text/catalogue'
import { TextInput } from './field'

interface DateInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'onBlur' | 'max'> {
  /** `2026-11-22`, or with `hasTime` `2026-11-22T09:30`; empty for none. */
  value: Wall
  /** Only what can be read, and the empty text. */
  onChange: (value: Wall) => void
  hasTime?: boolean
  /** The last day that can be chosen. */
  max?: Wall
  /** In a row of filters, whose frame it has. */
  isBare?: boolean
}

const EXAMPLE = '2026-11-22'

/**
 * A day as text, written as the language writes it, with the day first. The arrows move it by a day, Page Up and Page
 * Down by a month, and Alt with the arrow down opens the calendar of the browser.
 */
export function DateInput({ value, onChange, hasTime = false, max, isBare = false, ...props }: DateInputProps) {
  const t = useText('common')
  const reading = useReading()
  const calendar = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<{ text: string; value: Wall } | null>(null)
  // A value that was changed elsewhere, such as by Back, replaces the text.
  const text = typed !== null && typed.value === value ? typed.text : wallText(reading, value)
  const isTaken = (wall: Wall) => max === undefined || wall <= max
  const found = text.trim() === '' ? '' : readWall(reading, text, hasTime)
  const isUnreadable = found === null || !isTaken(found)
  const type = (next: string) => {
    const wall = next.trim() === '' ? '' : readWall(reading, next, hasTime)
    const isRead = wall !== null && isTaken(wall)
    setTyped({ text: next, value: isRead ? wall : value })
    if (isRead) onChange(wall)
  }
  const choose = (wall: Wall) => {
    setTyped(null)
    if (isTaken(wall)) onChange(wall)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || props.disabled) return
    event.preventDefault()
    if (event.altKey) return calendar.current?.showPicker()
    if (found !== null && found !== '') choose(laterWall(found, step))
  }
  const example = wallText(reading, hasTime ? `${EXAMPLE}T09:30` : EXAMPLE)
  return (
    <span className={cx('min-w-0', isBare ? 'relative inline-grid h-full w-34' : 'grid gap-0.5')}>
      <span className={cx('relative', isBare && 'h-full')}>
        <TextInput
          placeholder={example}
          {...props}
          {...(isUnreadable && { 'aria-invalid': true })}
          data-unreadable={isUnreadable ? '' : undefined}
          className={cx('pr-8', isBare && '!h-full border-0! bg-transparent! px-0! pr-7! text-sm! font-medium')}
          value={text}
          onChange={({ target }) => type(target.value)}
          onBlur={() => isUnreadable || setTyped(null)}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          aria-label={t.openCalendar}
          title={t.openCalendar}
          disabled={props.disabled}
          onClick={() => calendar.current?.showPicker()}
          className="absolute inset-y-0 right-1 inline-flex w-6 items-center justify-center text-ink-2 hover:text-ink"
        >
          <CalendarDays aria-hidden size={15} />
        </button>
        <input
          ref={calendar}
          type="date"
          tabIndex={-1}
          aria-hidden
          disabled={props.disabled}
          value={value.slice(0, 10)}
          max={max?.slice(0, 10)}
          onChange={({ target }) => target.value && choose(target.value + (hasTime ? value.slice(10) || 'T00:00' : ''))}
          className="pointer-events-none absolute right-1 bottom-0 size-px opacity-0"
        />
      </span>
      {isUnreadable && (
        <span
          role="alert"
          className={cx('text-xs text-bad', isBare && 'absolute top-full z-10 rounded-inner bg-surface px-2 py-1')}
        >
          {found === null ? t.notDate(example) : t.notDateAfter(wallText(reading, max ?? ''))}
        </span>
      )}
    </span>
  )
}

const STEPS: Record<string, { days?: number; months?: number }> = {
  ArrowUp: { days: 1 },
  ArrowDown: { days: -1 },
  PageUp: { months: 1 },
  PageDown: { months: -1 },
}
