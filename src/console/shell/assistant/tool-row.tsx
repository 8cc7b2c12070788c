import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { unmasked, unmaskedValue } from '../../../core/text/marks'
import { type ReadCall, useReadAgain } from '../../api/read-again'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { ScrollBox } from '../../kit/scroll-box'
import { Time } from '../../kit/values'
import { cx } from '../../lib/class-names'
import { formatNumber } from '../../lib/format'
import type { Marks } from '../../lib/marks'
import { useProject, useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { IdLink } from './answer-text'
import type { ToolUse } from './live-answer'
import { factsIn, rowsIn } from './read-rows'
import { screenOf } from './tools'

interface ToolRowProps {
  /** The same while the answer is written and afterwards. */
  id: string
  tool: ToolUse
  marks: Marks
}

/** What is open stays so when the answer is finished and comes from the thread. */
const OPEN = new Set<string>()

/** What was read for an answer. It opens to the rows, which are read again with the rights of the reader. */
export function ToolRow({ id, tool, marks }: ToolRowProps) {
  const t = useText('assistant')
  const c = useText('common')
  const reading = useReading()
  const [isOpen, setOpen] = useState(OPEN.has(id))
  const toggle = () => {
    isOpen ? OPEN.delete(id) : OPEN.add(id)
    setOpen(!isOpen)
  }
  const place = useId()
  const given = unmasked(tool.summary, marks)
  const screen = screenOf(tool.name, given)
  return (
    <div className="overflow-clip rounded-control border border-line bg-surface text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? place : undefined}
        onClick={toggle}
        className="flex min-h-9 w-full items-center gap-2 px-2.5 py-1 text-left -outline-offset-2 hover:bg-hover max-md:min-h-11"
      >
        <ChevronRight aria-hidden size={15} className={cx('shrink-0 text-ink-3', isOpen && 'rotate-90')} />
        <span className="min-w-0 flex-1 truncate">
          {t.read(screen ? c[screen.name] : tool.name)}
          {given !== '' && given !== '{}' && <span className="font-mono text-xs text-ink-2"> {given}</span>}
        </span>
        {tool.rows !== null && (
          <span className="shrink-0 text-xs text-ink-2">{t.rows(tool.rows, formatNumber(reading, tool.rows))}</span>
        )}
      </button>
      {isOpen && (
        <div id={place} className="border-t border-line">
          {tool.read ? <Rows tool={tool.name} call={tool.read} marks={marks} /> : <Note>{t.cannotRead}</Note>}
          <ScreenLink given={given} tool={tool.name} />
        </div>
      )}
    </div>
  )
}

const Note = ({ children }: { children: string }) => <p className="px-3 py-2 text-xs text-ink-2">{children}</p>

function ScreenLink({ tool, given }: { tool: string; given: string }) {
  const t = useText('assistant')
  const c = useText('common')
  const { base } = useProject()
  const screen = screenOf(tool, given)
  if (!screen || screen.path === null) return null
  return (
    <p className="border-t border-line bg-sunken px-3 py-1.5 text-xs">
      <Link href={base + screen.path} className="inline-flex min-h-6 items-center text-accent hover:underline">
        {t.openScreen(c[screen.name])}
      </Link>
    </p>
  )
}

const MOST_ROWS = 8

function Rows({ tool, call, marks }: { tool: string; call: ReadCall; marks: Marks }) {
  const t = useText('assistant')
  const reading = useReading()
  const { api } = useProject()
  const { method, path, body } = call
  const own = { method, path: unmasked(path, marks, encodeURIComponent), body: unmaskedValue(body, marks) }
  const found = useReadAgain(own, api)
  if (found.error)
    return (
      <div className="px-3">
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      </div>
    )
  if (found.data === undefined) return <Skeleton lines={3} className="px-3" />
  const table = rowsIn(found.data)
  if (!table) return <Facts facts={factsIn(found.data)} />
  if (table.rows.length === 0) return <Note>{t.noRows}</Note>
  const hidden = table.rows.length - MOST_ROWS
  return (
    <>
      <ScrollBox label={tool}>
        <table className="w-full border-collapse text-xs">
          <thead>
            <tr className="h-7 bg-sunken text-left text-ink-2">
              {table.columns.map((name) => (
                <th key={name} scope="col" className="px-3 font-mono font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.slice(0, MOST_ROWS).map((row, at) => (
              <tr key={at} className="h-7 border-t border-line">
                {row.map((cell, column) => (
                  <td key={column} className="max-w-48 truncate px-3 tabular-nums">
                    <Cell value={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {hidden > 0 && <Note>{t.moreRows(formatNumber(reading, hidden))}</Note>}
    </>
  )
}

const MOST_FACTS = 12

const Facts = ({ facts }: { facts: ReturnType<typeof factsIn> }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-3 py-2 text-xs">
    {facts.slice(0, MOST_FACTS).map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="font-mono text-ink-2">{name}</dt>
        <dd className="truncate text-right tabular-nums">
          <Cell value={value} />
        </dd>
      </div>
    ))}
  </dl>
)

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <>—</>
  if (typeof value === 'object') return <>{JSON.stringify(value)}</>
  const text = String(value)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return <Time at={text} />
  return /^[a-z]{3}_[0-9a-z]{20,40}$/.test(text) ? <IdLink id={text} /> : <bdi>{text}</bdi>
}
