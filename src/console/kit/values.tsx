import { useContext } from 'react'
import { formatDay, formatMoney, formatNumber, formatRelative, formatShare, formatTime } from '../lib/format'
import { FullTimesContext } from '../lib/keys'
import { useReading } from '../lib/session'

interface TimeProps {
  at: string | number | null | undefined
  /** Always the absolute time, for tables of money. */
  absolute?: boolean
  /** Without the time of day. */
  day?: boolean
}

/** A time: relative within 30 days, with the absolute one as the title. */
export function Time({ at, absolute = false, day = false }: TimeProps) {
  const reading = useReading()
  const isFull = useContext(FullTimesContext)
  if (at === null || at === undefined) return <span>—</span>
  const full = formatTime(reading, at)
  const near = absolute || isFull ? null : formatRelative(reading, at)
  return (
    <time dateTime={new Date(at).toISOString()} title={full} className="whitespace-nowrap tabular-nums">
      {near ?? (day ? formatDay(reading, at) : full)}
    </time>
  )
}

interface MoneyProps {
  /** Millionths of the currency. */
  micros: number | string | null | undefined
  currency: string
  whole?: boolean
}

export function Money({ micros, currency, whole = false }: MoneyProps) {
  const reading = useReading()
  if (micros === null || micros === undefined) return <span>—</span>
  return (
    <span className="whitespace-nowrap tabular-nums">{formatMoney(reading, Number(micros), currency, { whole })}</span>
  )
}

export function Count({ value, digits = 0 }: { value: number | null | undefined; digits?: number }) {
  const reading = useReading()
  return (
    <span className="tabular-nums">
      {value === null || value === undefined ? '—' : formatNumber(reading, value, digits)}
    </span>
  )
}

/** A share between 0 and 1. */
export function Share({ value }: { value: number | null | undefined }) {
  const reading = useReading()
  return (
    <span className="tabular-nums">{value === null || value === undefined ? '—' : formatShare(reading, value)}</span>
  )
}
