import type { Schemas } from '../../../api/schemas'
import { Facts } from '../../../kit/card'
import { CopyText, Id } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { Empty } from '../../../kit/empty'
import { Because } from '../../../kit/mark'
import { State, toneOf } from '../../../kit/state'
import { Count, Time } from '../../../kit/values'
import { formatBytes, formatNumber } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { useReason } from '../../../parts/store-reason'
import { useText } from '../../../text/catalogue'

/** Where an export lies, and each of its files with its checksum. */
export function RunSheet({ run, onClose }: { run: Schemas['DataExport']; onClose: () => void }) {
  const t = useText('moving')
  const common = useText('common')
  const reading = useReading()
  const reasonOf = useReason()
  return (
    <Dialog title={t.exportRun} kind="sheet" onClose={onClose}>
      <ExportState run={run} />
      {run.error !== null && <Because>{reasonOf(run.error)}</Because>}
      <Facts
        items={[
          [common.id, <Id key="id" id={run.id} />],
          [t.destination, <CopyText key="to" text={run.to} />],
          [t.format, run.format],
          [t.columnSet, run.columns],
          [t.rowsSince, run.from === null ? t.fromTheBeginning : <Time key="f" at={run.from} absolute />],
          [t.rowsUntil, <Time key="u" at={run.until} absolute />],
          [t.rows, <Count key="r" value={run.rows} />],
          [t.size, formatBytes(reading, run.bytes)],
          [t.begun, <Time key="b" at={run.startedAt} absolute />],
          [t.finishedAt, run.finishedAt && <Time key="e" at={run.finishedAt} absolute />],
        ]}
      />
      <h3 className="text-sm font-semibold">{t.manifest}</h3>
      {run.files.length === 0 && <Empty title={t.noFiles} />}
      <ul className="divide-y divide-line">
        {run.files.map(({ name, rows, bytes, sha256 }) => (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)] gap-0.5 py-2">
            <CopyText text={name} />
            <span className="text-xs text-ink-2">
              {formatNumber(reading, rows)} {t.rowsDone(rows)}, {formatBytes(reading, bytes)}
            </span>
            <CopyText text={sha256} shown={`sha256 ${sha256.slice(0, 16)}…`} className="text-ink-2" />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

type Run = Schemas['DataExport']

export function ExportState({ run: { status } }: { run: Pick<Run, 'status'> }) {
  const t = useText('moving')
  return (
    <State tone={toneOf(status)} live={status === 'RUNNING'}>
      {t.runStates[status]}
    </State>
  )
}
