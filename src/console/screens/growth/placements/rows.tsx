import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../kit/button'
import type { Draft } from '../../../kit/draft'
import { Select } from '../../../kit/field'
import { RowMenu } from '../../../kit/row-menu'
import { moved, SortableList } from '../../../kit/sortable'
import { useText } from '../../../text/catalogue'
import { bothOf } from '../rules/model'
import { usePreview } from '../rules/use-preview'
import { freshUid, type PlacementState, type Row, targetKey, targetOf } from './model'
import { useRowWords } from './use-placement-edit'

/** The rows in order: the first that fits decides. */
export function PlacementRows({ draft: { value, set } }: { draft: Draft<PlacementState> }) {
  const { t, whoOf } = useRowWords()
  const { rows } = value
  const setRows = (next: Row[]) => set((state) => ({ ...state, rows: next }))
  const move = (from: number, to: number) => setRows(moved(rows, from, to))
  const add = () => {
    const row: Row = { uid: freshUid(rows), audienceId: null, target: null }
    setRows([...rows, row])
  }
  const last = rows.findIndex(({ audienceId }) => audienceId === null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {rows.length === 0 && <p className="text-sm text-ink-2">{t.noRows}</p>}
      <SortableList items={rows} keyOf={({ uid }) => uid} nameOf={whoOf} onMove={move}>
        {(row, index, handle) => (
          <RowCard
            row={row}
            index={index}
            count={rows.length}
            handle={handle}
            onChange={(next) => setRows(rows.with(index, next))}
            onMove={move}
            onRemove={() => setRows(rows.filter((_, at) => at !== index))}
          />
        )}
      </SortableList>
      {last >= 0 && last < rows.length - 1 && <p className="text-sm text-warn">{t.everybodyLast}</p>}
      <div>
        <Button variant="quiet" icon={<Plus aria-hidden size={14} />} onClick={add}>
          {t.addRow}
        </Button>
      </div>
    </div>
  )
}

interface RowCardProps {
  row: Row
  index: number
  count: number
  handle: ReactNode
  onChange: (row: Row) => void
  onMove: (from: number, to: number) => void
  onRemove: () => void
}

function RowCard({ row, index, count, handle, onChange, onMove, onRemove }: RowCardProps) {
  const { t, audiences, targets, whoOf } = useRowWords()
  const label = t.rowAt(index + 1)
  const known = targets.some(({ key }) => key === targetKey(row.target))
  return (
    <article
      aria-label={`${label}, ${whoOf(row)}`}
      data-placement-row
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-2 rounded-control border border-line bg-surface px-3 py-2"
    >
      <span className="w-4 pt-2 text-sm text-ink-2 tabular-nums">{index + 1}</span>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-2 sm:grid-cols-2">
        <div className="grid gap-1">
          <Select
            aria-label={`${label}, ${t.audience}`}
            value={row.audienceId ?? ''}
            onChange={({ target }) => onChange({ ...row, audienceId: target.value === '' ? null : target.value })}
            options={[['', t.everybody], ...audiences.map(({ id, name }) => [id, name] as const)]}
          />
          <RowPeople rules={audiences.find(({ id }) => id === row.audienceId)?.rules} />
        </div>
        <div className="grid gap-1 self-start">
          <Select
            aria-label={`${label}, ${t.shows}`}
            value={targetKey(row.target)}
            onChange={({ target }) => onChange({ ...row, target: targetOf(target.value) })}
            aria-invalid={row.target === null || undefined}
            aria-describedby={row.target === null ? `unchosen-${row.uid}` : undefined}
            options={[
              ...(row.target === null ? [['', t.chooseTarget] as const] : []),
              ...targets.map(({ key, name }) => [key, name] as const),
              ...(known || row.target === null ? [] : [[targetKey(row.target), t.missingTarget] as const]),
            ]}
          />
          {row.target === null && (
            <p id={`unchosen-${row.uid}`} className="text-xs text-bad">
              {targets.length > 1 ? t.chooseTargetHint : t.noTargets}
            </p>
          )}
        </div>
      </div>
      <div className="flex h-9 items-center gap-1">
        <RowMenu label={label} index={index} count={count} onMove={onMove} onRemove={onRemove} />
        {handle}
      </div>
    </article>
  )
}

function RowPeople({ rules }: { rules: unknown }) {
  const t = useText('growth')
  const { data } = usePreview(bothOf(rules, null))
  return <p className="text-xs text-ink-2">{data ? t.matchNow(data.matching) : '…'}</p>
}
