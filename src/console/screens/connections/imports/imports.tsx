import { useLocation } from 'wouter'
import { useList, useRefresh } from '../../../api/queries'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useEvery } from '../shared/live'
import { DropZone } from './drop-zone'
import { isRunning, type Job, PATH, TONES } from './model'

const EVERY_MS = 3000

export default function Imports() {
  const t = useText('moving')
  const common = useText('common')
  const { path, base, api } = useProject()
  const [, navigate] = useLocation()
  const refresh = useRefresh()
  const list = useList(PATH, { params: { path } })
  useEvery(list.items.some(({ status }) => isRunning(status)) ? EVERY_MS : null, () => refresh(PATH))
  const open = ({ id }: Job) => {
    refresh(PATH)
    navigate(`${base}/connections/imports/${id}`)
  }
  return (
    <Page title={common.imports} purpose={t.importsPurpose}>
      <DropZone url={(name) => `${api}/imports?fileName=${encodeURIComponent(name)}`} onDone={open} />
      <Card flush>
        <DataTable
          label={common.imports}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/connections/imports/${id}`}
          empty={<Empty title={t.noImports}>{t.noImportsWhy}</Empty>}
          columns={[
            { title: t.file, cell: ({ fileName }) => fileName, whole: ({ fileName }) => fileName },
            { title: common.status, cell: (job) => <JobState job={job} /> },
            { title: t.preset, cell: ({ preset }) => preset ?? '—', isExtra: true },
            { title: t.rows, cell: ({ counters }) => <Count value={counters.rows} />, isNumber: true },
            {
              title: t.rowsWrong,
              cell: ({ counters }) => <Count value={counters.invalid} />,
              isNumber: true,
              isExtra: true,
            },
            { title: common.createdAt, cell: ({ createdAt }) => <Time at={createdAt} />, isExtra: true },
          ]}
        />
      </Card>
    </Page>
  )
}

export function JobState({ job: { status, undoneAt } }: { job: Job }) {
  const t = useText('moving')
  return (
    <State tone={TONES[status]} live={isRunning(status)}>
      {status === 'CANCELLED' && undoneAt !== null ? t.undone : t.importStates[status]}
    </State>
  )
}
