import { Download } from 'lucide-react'
import { queryOf } from '../api/client'
import { OWN_FILES } from '../api/objects'
import type { Listing, Source } from '../api/queries'
import { cx } from '../lib/class-names'
import { curlOf, filled } from '../lib/curl'
import { formatNumber } from '../lib/format'
import { useReading } from '../lib/session'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { useCopied } from './copy'
import { Failure } from './failure'
import { nameOf, saveRows, useExport } from './use-export'
import { idOf } from './use-row-acts'
import type { Selection } from './use-selection'

interface FootProps<R> {
  list: Listing<R>
  chosen: Selection<R>
  keyOf: (row: R) => string
}

/** Below a list: how many rows are loaded, the actions for all rows, and those for the selected ones. */
export function Foot<R>({ list, chosen, keyOf }: FootProps<R>) {
  if (!list.source) return <More list={list} />
  const isChosen = chosen.rows.length > 0
  return (
    <>
      <Trouble list={list} />
      <div
        className={cx(
          'flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-1.5 text-xs text-ink-2',
          isChosen && 'sticky bottom-0 z-10 bg-raised',
        )}
      >
        <Amount shown={list.items.length} chosen={chosen.rows.length} />
        <div className="-mx-3 flex flex-wrap items-center gap-1 print:hidden">
          {isChosen ? (
            <ChosenActs source={list.source} chosen={chosen} keyOf={keyOf} />
          ) : (
            <ListActs list={list} source={list.source} />
          )}
        </div>
      </div>
    </>
  )
}

/** Why the rows are not the newest, or no further ones came. */
const Trouble = ({ list }: { list: Listing<unknown> }) =>
  list.error && (
    <div className="border-t border-line px-4">
      <Failure error={list.error} onRetry={list.retry} />
    </div>
  )

function Amount({ shown, chosen }: { shown: number; chosen: number }) {
  const t = useText('common')
  const reading = useReading()
  return <span role="status">{chosen > 0 ? t.chosen(chosen) : t.shown(formatNumber(reading, shown))}</span>
}

function ListActs({ list, source }: { list: Listing<unknown>; source: Source }) {
  const t = useText('common')
  const copy = useCopied()
  const { isRunning, start } = useExport(list)
  const query = queryOf(source.params.query ?? {})
  const curl = curlOf(location.origin, filled(source.path, source.params.path ?? {}) + (query && `?${query}`))
  return (
    <>
      {curl !== null && (
        <Button variant="quiet" onClick={() => copy(curl)}>
          {t.copyAsCurl}
        </Button>
      )}
      {!OWN_FILES.includes(source.path) && (
        <Button variant="quiet" icon={<Download aria-hidden size={14} />} onClick={start} busy={isRunning}>
          {t.exportCsv}
        </Button>
      )}
      {list.hasMore && (
        <Button onClick={list.showMore} busy={list.isFetchingMore}>
          {t.showMore}
        </Button>
      )}
    </>
  )
}

function ChosenActs<R>({ source, chosen, keyOf }: { source: Source; chosen: Selection<R>; keyOf: (row: R) => string }) {
  const t = useText('common')
  const copy = useCopied()
  const ids = chosen.rows.flatMap((row) => idOf(row, keyOf(row)) ?? [])
  return (
    <>
      {ids.length > 0 && (
        <Button variant="quiet" onClick={() => copy(ids.join('\n'))}>
          {t.copyIds}
        </Button>
      )}
      <Button
        variant="quiet"
        icon={<Download aria-hidden size={14} />}
        onClick={() => saveRows(nameOf(source.path), chosen.rows)}
      >
        {t.exportChosen}
      </Button>
      <Button variant="quiet" onClick={chosen.clear}>
        {t.unselect}
      </Button>
    </>
  )
}

/** Below a list that is no table: how much of it is there, and what can be done with all of it. */
export function ListFoot({ list }: { list: Listing<unknown> }) {
  if (!list.source) return <More list={list} />
  return (
    <>
      <Trouble list={list} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-1.5 text-xs text-ink-2">
        <Amount shown={list.items.length} chosen={0} />
        <div className="-mx-3 flex flex-wrap items-center gap-1 print:hidden">
          <ListActs list={list} source={list.source} />
        </div>
      </div>
    </>
  )
}

/** The bar below a list that is read and nothing else. */
export function More({ list }: { list: Listing<unknown> }) {
  const t = useText('common')
  if (!list.hasMore) return <Trouble list={list} />
  return (
    <>
      <Trouble list={list} />
      <div className="flex items-center justify-between border-t border-line px-4 py-2 text-xs text-ink-2">
        <span>{t.shown(String(list.items.length))}</span>
        <Button onClick={list.showMore} busy={list.isFetchingMore}>
          {t.showMore}
        </Button>
      </div>
    </>
  )
}
