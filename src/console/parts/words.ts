import { formatDay, formatMoney, formatTime } from '../lib/format'
import { useReading } from '../lib/session'
import { useText } from '../text/catalogue'

/** The word for a value of the API; the value itself when a newer server knows one that this page does not. */
export const wordOf = (words: Readonly<Record<string, string>>, value: string): string => words[value] ?? value

interface Named {
  id: string
  appUserId: string | null
  deviceKey?: string | null
}

/** How a person is called: by the customer's id, else by the device. */
export const nameOf = ({ id, appUserId, deviceKey }: Named): string => appUserId ?? deviceKey ?? id

/** Texts of the area together with times and amounts in the reader's language. */
export function useWords() {
  const t = useText('subscribers')
  const { storeNames } = useText('common')
  const reading = useReading()
  return {
    t,
    reading,
    time: (at: string | number) => formatTime(reading, at),
    day: (at: string | number) => formatDay(reading, at),
    money: (micros: number, currency: string) => formatMoney(reading, micros, currency),
    status: (status: string) => wordOf(t.statuses, status),
    store: (store: string) => wordOf(storeNames, store),
  }
}

export type Words = ReturnType<typeof useWords>
