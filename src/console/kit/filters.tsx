import { ListFilter, X } from 'lucide-react'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { Dialog } from './dialog'
import { useIsPhone } from './phone'

/** `row`: all in one row. On a phone the chosen values are `chips`, and the filters are in a `sheet`. */
type Mode = 'row' | 'chips' | 'sheet'

const FilterMode = createContext<Mode>('row')

export const useFilterMode = (): Mode => useContext(FilterMode)

/** The filters of a screen. A phone has one button that opens them, and shows which are chosen. */
export function FilterRow({ children }: { children: ReactNode }) {
  const t = useText('common')
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  if (!isPhone) return <div className="flex flex-wrap items-center gap-2 print:hidden">{children}</div>
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <FilterMode value="chips">{children}</FilterMode>
      <Button icon={<ListFilter aria-hidden size={14} />} onClick={() => setOpen(true)} className="ml-auto">
        {t.filter}
      </Button>
      {isOpen && (
        <Dialog title={t.filter} kind="sheet" onClose={() => setOpen(false)}>
          <FilterMode value="sheet">{children}</FilterMode>
          <Button variant="primary" onClick={() => setOpen(false)}>
            {t.showRows}
          </Button>
        </Dialog>
      )}
    </div>
  )
}

interface FilterChipProps {
  label: string
  value: ReactNode
  onRemove: () => void
}

/** A filter that is chosen; pressing it takes it away. */
export function FilterChip({ label, value, onRemove }: FilterChipProps) {
  const t = useText('common')
  return (
    <button
      type="button"
      title={t.removeFilter(label)}
      onClick={onRemove}
      className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-chip bg-accent-soft px-2 text-sm"
    >
      <span className="sr-only">{t.removeFilter(label)}: </span>
      <span className="truncate text-accent">{value}</span>
      <X aria-hidden size={14} className="shrink-0 text-accent" />
    </button>
  )
}
