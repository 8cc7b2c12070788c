import { useEffect, useRef, useState } from 'react'
import { everyPage } from '../api/every'
import type { Listing } from '../api/queries'
import { now } from '../lib/clock'
import { csvFile } from '../lib/csv'
import { saveFile } from '../lib/save-file'
import { useText } from '../text/catalogue'
import { toast } from './toast'

interface Export {
  /** Rows that were read so far; `null` while nothing is written. */
  read: number | null
  start: () => void
  stop: () => void
}

/** Writes a list as CSV: as it is when all of it is on the screen, else page by page from its beginning. */
export function useExport(list: Listing<unknown>): Export {
  const t = useText('common')
  const [read, setRead] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  const stop = () => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])
  const start = () => {
    const { source, items, hasMore } = list
    if (!source || running.current) return
    if (!hasMore) return saveRows(nameOf(source.path), items)
    const control = new AbortController()
    running.current = control
    const write = async () => {
      const file = csvFile()
      let count = 0
      setRead(0)
      for await (const rows of everyPage(source, control.signal)) {
        control.signal.throwIfAborted()
        file.add(rows)
        count += rows.length
        setRead(count)
      }
      saveFile(nameOf(source.path), file.end())
    }
    write()
      .catch((error: Error) => {
        if (!control.signal.aborted) toast(t.exportFailed(error.message), { isBad: true })
      })
      .finally(() => {
        running.current = null
        setRead(null)
      })
  }
  return { read, start, stop }
}

/** Saves rows that are on the screen. */
export function saveRows(name: string, rows: readonly unknown[]): void {
  const file = csvFile()
  file.add(rows)
  saveFile(name, file.end())
}

/** `subscribers-2026-11-23.csv` */
export function nameOf(path: string): string {
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  return `${words.at(-1) ?? 'list'}-${new Date(now()).toISOString().slice(0, 10)}.csv`
}
