import type { ReactNode } from 'react'
import type { Listing } from '../api/queries'
import { Facts } from '../kit/card'
import { Code, CopyText, Id } from '../kit/copy'
import { Dialog } from '../kit/dialog'
import { DataTable } from '../kit/table'
import { Time } from '../kit/values'
import { useText } from '../text/catalogue'
import { type AuditRow, differencesOf } from './audit-row'

interface TableProps {
  list: Listing<AuditRow>
  onOpen: (row: AuditRow) => void
  empty: ReactNode
}

export function AuditTable({ list, onOpen, empty }: TableProps) {
  const t = useText('settings')
  const c = useText('common')
  return (
    <DataTable
      label={c.auditLog}
      list={list}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          title: t.what,
          cell: (row) => (
            <button
              type="button"
              className="font-mono text-xs font-medium text-accent hover:underline"
              onClick={() => onOpen(row)}
            >
              {row.action}
            </button>
          ),
        },
        { title: t.who, cell: (row) => actorOf(row), whole: actorOf },
        {
          title: t.object,
          isExtra: true,
          whole: ({ target }) => `${target.type} ${target.id}`,
          cell: ({ target }) => (
            <>
              <span className="text-ink-2">{target.type}</span> <span className="font-mono text-xs">{target.id}</span>
            </>
          ),
        },
        {
          title: t.changes,
          isExtra: true,
          isNumber: true,
          cell: ({ before, after }) => differencesOf(before, after).length,
        },
        { title: t.when, cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  )
}

export const actorOf = ({ actor: { kind, email, id } }: AuditRow): string => email ?? id ?? kind

/** One row with the difference that it made, member by member, and its place in the chain. */
export function AuditSheet({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const t = useText('settings')
  const differences = differencesOf(row.before, row.after)
  return (
    <Dialog kind="sheet" title={<span className="font-mono text-md">{row.action}</span>} onClose={onClose}>
      <Facts
        items={[
          [t.who, `${actorOf(row)} · ${row.actor.kind}`],
          [t.when, <Time key="at" at={row.at} absolute />],
          [t.object, <CopyText key="target" text={row.target.id} shown={`${row.target.type} ${row.target.id}`} />],
          [t.row, <Id key="id" id={row.id} />],
        ]}
      />
      <h3 className="text-sm font-semibold">{t.difference}</h3>
      {differences.length === 0 ? (
        <p className="text-sm text-ink-2">{t.noDifference}</p>
      ) : (
        <Differences differences={differences} />
      )}
      <h3 className="text-sm font-semibold">{t.chain}</h3>
      <p className="text-xs text-ink-2">{t.chainHint}</p>
      <Code label={t.prevHash} text={row.prevHash} />
      <Code label={t.rowHash} text={row.rowHash} />
    </Dialog>
  )
}

/** Members with their value before and after. */
export function Differences({ differences }: { differences: ReturnType<typeof differencesOf> }) {
  const t = useText('settings')
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line rounded-control border border-line text-sm">
      {differences.map(({ path, before, after }) => (
        <div key={path} className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-3 py-2">
          <dt className="font-mono text-xs text-ink-2">{path || t.wholeObject}</dt>
          <dd className="font-mono text-xs break-words text-bad">
            <span aria-hidden>− </span>
            <span className="sr-only">{t.before}: </span>
            {before}
          </dd>
          <dd className="font-mono text-xs break-words text-accent">
            <span aria-hidden>+ </span>
            <span className="sr-only">{t.after}: </span>
            {after}
          </dd>
        </div>
      ))}
    </dl>
  )
}
