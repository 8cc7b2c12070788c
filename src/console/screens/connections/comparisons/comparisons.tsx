import { useList, useRefresh } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card, Columns } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State, toneOf } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useEvery } from '../shared/live'
import { PATH, type Run } from './model'
import { Schedule } from './schedule'
import { StartRun } from './start-run'

export default function Comparisons() {
  const t = useText('moving')
  const common = useText('common')
  const { path, base } = useProject()
  const [doing, setDoing] = useParam('do')
  const refresh = useRefresh()
  const list = useList(`${PATH}/runs`, { params: { path } })
  useEvery(list.items.some(({ status }) => status === 'RUNNING') ? 2000 : null, () => refresh(PATH))
  return (
    <Page
      title={common.comparisons}
      purpose={t.comparisonsPurpose}
      actions={
        <Button variant="primary" onClick={() => setDoing('start', { push: true })}>
          {t.startComparison}
        </Button>
      }
    >
      <Columns
        main={
          <Card flush>
            <DataTable
              label={common.comparisons}
              list={list}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `${base}/connections/comparisons/${id}`}
              empty={<Empty title={t.noComparisons}>{t.noComparisonsWhy}</Empty>}
              columns={[
                { title: t.begun, cell: ({ startedAt }) => <Time at={startedAt} /> },
                { title: common.status, cell: (run) => <RunState run={run} /> },
                { title: t.peopleCompared, cell: ({ counters }) => <Count value={counters.done} />, isNumber: true },
                { title: t.differences, cell: ({ differences }) => <Count value={differences} />, isNumber: true },
                { title: common.type, cell: ({ isScheduled }) => (isScheduled ? t.nightly : t.byHand), isExtra: true },
              ]}
            />
          </Card>
        }
        side={<Schedule />}
      />
      {doing === 'start' && <StartRun onClose={() => setDoing(null)} />}
    </Page>
  )
}

export function RunState({ run: { status } }: { run: Run }) {
  const t = useText('moving')
  return (
    <State tone={toneOf(status)} live={status === 'RUNNING'}>
      {t.runStates[status]}
    </State>
  )
}
