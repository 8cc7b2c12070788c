import { everyPage } from '../api/every'
import type { Listing, Source } from '../api/queries'
import { now } from '../lib/clock'
import { csvFile } from '../lib/csv'
import { saveFile } from '../lib/save-file'
import { useText } from '../text/catalogue'
import { messageOf, refusalIn } from './failure-words'
import { runningExports, setRunning } from './running-exports'
import { toast } from './toast'

interface Export {
  isRunning: boolean
  start: () => void
}

/** Writes a list as CSV: as it is when all of it is on the screen, else page by page from its start. */
export function useExport({ source, items, hasMore }: Listing<unknown>): Export {
  const t = useText('common')
  const running = runningExports.use()
  const isRunning = source !== undefined && keyOf(source) in running
  const start = () => {
    if (!source || isRunning) return
    if (!hasMore) return saveRows(nameOf(source.path), items)
    exportWhole(source).catch((error: Error) => {
      const why = refusalIn(error, t.refusals) ?? messageOf(error, t.unreachable)
      toast(t.exportFailed(why), { isBad: true })
    })
  }
  return { isRunning, start }
}

const keyOf = ({ path, params }: Source): string => JSON.stringify([path, params])

/** Reads page after page and saves the file. Ends without one, and without an error, when it is stopped. */
async function exportWhole(source: Source): Promise<void> {
  const control = new AbortController()
  const { signal } = control
  const [key, name, file] = [keyOf(source), nameOf(source.path), csvFile()]
  const end = () => setRunning(key, null)
  const stop = () => {
    control.abort()
    end()
  }
  const tell = (read: number) => setRunning(key, { file: name, read, stop })
  let count = 0
  tell(count)
  try {
    for await (const rows of everyPage(source, signal)) {
      // After a stop the same list can be running anew.
      if (signal.aborted) return
      file.add(rows)
      count += rows.length
      tell(count)
    }
    end()
    saveFile(name, file.end())
  } catch (error) {
    if (signal.aborted) return
    end()
    throw error
  }
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
