import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card, Facts } from '../../kit/card'
import { Code, Id } from '../../kit/copy'
import { Dialog } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { FilterSelect } from '../../kit/filter-select'
import { State, toneOf } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'

type Job = Schemas['Job']
const STATES = ['WAITING', 'RUNNING', 'DEAD'] as const satisfies readonly Job['state'][]

/** The work in the background. */
export default function Jobs() {
  const t = useText('platform')
  const c = useText('common')
  const [params, set] = useParams()
  const state = STATES.find((one) => one === params.get('state'))
  const list = useList('/admin/jobs', { params: { query: { ...(state && { state }) } } })
  const open = list.items.find(({ id }) => id === params.get('job'))
  return (
    <PlatformPage
      title={t.jobs}
      purpose={t.jobsPurpose}
      filters={
        <FilterSelect
          label={c.state}
          value={state ?? ''}
          options={[['', c.all], ...STATES.map((one) => [one, t.jobState[one]] as const)]}
          onChange={(event) => set({ state: event.target.value || null })}
        />
      }
    >
      <Card flush>
        <DataTable
          label={t.jobs}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noJobs}>{t.noJobsHint}</Empty>}
          columns={[
            {
              title: c.name,
              cell: ({ id, name }) => (
                <button
                  type="button"
                  className="font-mono text-xs font-medium text-accent hover:underline"
                  onClick={() => set({ job: id }, { push: true })}
                >
                  {name}
                </button>
              ),
            },
            { title: c.state, cell: (job) => <State tone={toneOf(job.state)}>{t.jobState[job.state]}</State> },
            {
              title: t.attempts,
              isNumber: true,
              isExtra: true,
              cell: ({ attempts, maxAttempts }) => `${attempts} / ${maxAttempts}`,
            },
            { title: t.runsAt, isNamed: true, cell: ({ runAt }) => <Time at={runAt} /> },
            {
              title: t.lastError,
              isExtra: true,
              cell: ({ lastError }) => lastError ?? '—',
              whole: ({ lastError }) => lastError ?? '',
            },
          ]}
        />
      </Card>
      {open && <JobSheet job={open} onClose={() => set({ job: null })} />}
    </PlatformPage>
  )
}

function JobSheet({ job, onClose }: { job: Job; onClose: () => void }) {
  const t = useText('platform')
  const c = useText('common')
  return (
    <Dialog kind="sheet" title={job.name} onClose={onClose}>
      <Facts
        items={[
          [c.id, <Id key="id" id={job.id} />],
          [
            c.state,
            <State key="state" tone={toneOf(job.state)}>
              {t.jobState[job.state]}
            </State>,
          ],
          [t.attempts, `${job.attempts} / ${job.maxAttempts}`],
          [t.runsAt, <Time key="runs" at={job.runAt} absolute />],
          [t.leasedUntil, <Time key="leased" at={job.leasedUntil} absolute />],
          [c.createdAt, <Time key="created" at={job.createdAt} absolute />],
        ]}
      />
      {job.lastError !== null && <Code label={t.lastError} text={job.lastError} />}
    </Dialog>
  )
}
