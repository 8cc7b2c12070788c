import { Download } from 'lucide-react'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { PlainTable } from '../../kit/table'
import { Segmented } from '../../kit/tabs'
import { csvLine } from '../../lib/csv'
import { formatNumber } from '../../lib/format'
import { commandKeys } from '../../lib/keys'
import { saveFile } from '../../lib/save-file'
import { useReading } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { ResultChart, textOf } from './sql-chart'

type QueryResult = Schemas['QueryResult']

/** What a query found, as a table or a chart. */
export function Result({ result, name }: { result: QueryResult | null; name: string }) {
  const t = useText('charts')
  const common = useText('common')
  const reading = useReading()
  const [view, setView] = useParam('view', 'table')
  if (!result)
    return (
      <Card title={t.result}>
        <Empty title={t.noResult}>{t.noResultHint(commandKeys('Enter'))}</Empty>
      </Card>
    )
  return (
    <Card
      flush
      title={t.result}
      aside={
        <>
          <span role="status" className="text-xs">
            {t.resultRows(formatNumber(reading, result.rowCount), formatNumber(reading, result.elapsedMs))}
          </span>
          <Segmented
            label={t.result}
            value={view}
            onChange={setView}
            options={[
              ['table', t.asTable],
              ['chart', t.asChart],
            ]}
          />
          <Button icon={<Download aria-hidden size={14} />} onClick={() => saveFile(`${name}.csv`, [toCsv(result)])}>
            {common.exportCsv}
          </Button>
        </>
      }
      footer={result.truncated ? t.truncated : undefined}
    >
      {result.rows.length === 0 ? (
        <Empty title={t.noResultRows} />
      ) : view === 'chart' ? (
        <ResultChart result={result} />
      ) : (
        <ResultTable result={result} />
      )}
    </Card>
  )
}

function ResultTable({ result: { columns, types, rows } }: { result: QueryResult }) {
  const t = useText('charts')
  return (
    <PlainTable<{ cells: readonly unknown[]; index: number }>
      keepsColumns
      label={t.result}
      rows={rows.map((cells, index) => ({ cells, index }))}
      keyOf={({ index }) => String(index)}
      columns={columns.map((title, index) => ({
        title: <span className="font-mono">{title}</span>,
        isNumber: types[index] === 'integer' || types[index] === 'number',
        cell: ({ cells }) => <span className="font-mono text-xs">{textOf(cells[index])}</span>,
        whole: ({ cells }) => textOf(cells[index]),
      }))}
    />
  )
}

/** A result as CSV. */
const toCsv = ({ columns, rows }: Schemas['QueryResult']): string => [columns, ...rows].map(csvLine).join('')
