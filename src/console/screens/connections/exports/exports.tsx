import { useState } from 'react'
import { useList, useRefresh } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card, Columns } from '../../../kit/card'
import { Code } from '../../../kit/copy'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { DataTable } from '../../../kit/table'
import { Segmented } from '../../../kit/tabs'
import { Count, Time } from '../../../kit/values'
import { formatBytes } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useEvery } from '../shared/live'
import { useRights } from '../shared/rights'
import { ExportState, RunSheet } from './run-sheet'
import { FORMATS } from './schedule-draft'
import { ScheduleForm } from './schedule-form'
import { Schedules } from './schedules'

const PATH = '/dashboard/projects/{projectId}/exports'

export default function DataExports() {
  const t = useText('moving')
  const common = useText('common')
  const { path, base } = useProject()
  const reading = useReading()
  const [values, set] = useParams()
  const refresh = useRefresh()
  const reason = useRights().needs('subscribers:gdpr')
  const list = useList(PATH, { params: { path } })
  useEvery(list.items.some(({ status }) => status === 'RUNNING') ? 2000 : 15_000, () => refresh(PATH))
  const chosen = list.items.find(({ id }) => id === values.get('run'))
  return (
    <Page
      title={common.dataExports}
      purpose={t.exportsPurpose}
      actions={
        <Button variant="primary" onClick={() => set({ do: 'schedule' }, { push: true })} reason={reason}>
          {t.newExportSchedule}
        </Button>
      }
    >
      <Columns
        main={
          <>
            <Schedules />
            <Card title={t.exportRuns} flush>
              <DataTable
                label={t.exportRuns}
                list={list}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => `${base}/connections/data-exports?run=${id}`}
                empty={<Empty title={t.noExports}>{t.noExportsWhy}</Empty>}
                columns={[
                  { title: t.begun, cell: ({ startedAt }) => <Time at={startedAt} /> },
                  { title: common.status, cell: (run) => <ExportState run={run} /> },
                  { title: t.rows, cell: ({ rows }) => <Count value={rows} />, isNumber: true },
                  { title: t.size, cell: ({ bytes }) => formatBytes(reading, bytes), isNumber: true },
                  {
                    title: t.destination,
                    cell: ({ to }) => <span className="font-mono text-xs">{to}</span>,
                    whole: ({ to }) => to,
                    isExtra: true,
                  },
                ]}
              />
            </Card>
          </>
        }
        side={<OneExport />}
      />
      {values.get('do') === 'schedule' && (
        <ScheduleForm saved={null} onClose={() => set({ do: null })} reason={reason} />
      )}
      {chosen && <RunSheet run={chosen} onClose={() => set({ run: null })} />}
    </Page>
  )
}

/** An export by the command line, which writes into a folder as well. */
function OneExport() {
  const t = useText('moving')
  const { project } = useProject()
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('csv')
  const command = `svc export-data --project ${project.slug} --format ${format}`
  return (
    <Card title={t.oneOff}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm text-ink-2">
        <p>{t.oneOffHint}</p>
        <Segmented label={t.format} value={format} onChange={setFormat} options={FORMATS.map((one) => [one, one])} />
        <Code text={`${command} --to ./export`} />
        <p>{t.sinceLastHint}</p>
        <Code text={`${command} --since last --to ./export`} />
      </div>
    </Card>
  )
}
