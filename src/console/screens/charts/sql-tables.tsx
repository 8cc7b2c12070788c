import { ChevronRight } from 'lucide-react'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Skeleton } from '../../kit/empty'
import { useText } from '../../text/catalogue'

interface TablesProps {
  tables: readonly Schemas['QueryTable'][]
  onChoose: (sql: string) => void
}

/** What can be asked: tables, their columns and types. */
export function Tables({ tables, onChoose }: TablesProps) {
  if (tables.length === 0) return <Skeleton className="px-4" />
  return (
    <ul className="divide-y divide-line">
      {tables.map((table) => (
        <li key={table.name}>
          <Table table={table} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

function Table({ table, onChoose }: { table: TablesProps['tables'][number]; onChoose: (sql: string) => void }) {
  const t = useText('charts')
  const { name, description, columns, types } = table
  return (
    <details className="group">
      <summary className="flex min-h-9 list-none items-center gap-2 px-4 font-mono text-xs -outline-offset-2 hover:bg-hover">
        <ChevronRight aria-hidden size={13} className="text-ink-3 group-open:rotate-90" />
        {name}
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 pb-3">
        <p className="text-xs text-ink-2">{description}</p>
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 text-xs">
          {columns.map((column, index) => (
            <div key={column} className="contents">
              <dt className="truncate font-mono">{column}</dt>
              <dd className="text-ink-2">{types[index]}</dd>
            </div>
          ))}
        </dl>
        <Button title={t.insertTable(name)} onClick={() => onChoose(`SELECT *\nFROM ${name}\nLIMIT 100`)}>
          <span className="truncate font-mono text-xs">SELECT … FROM {name}</span>
        </Button>
      </div>
    </details>
  )
}
