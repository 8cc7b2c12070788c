import { useList } from '../../api/queries'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { FilterSelect } from '../../kit/filter-select'
import { State } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Count, Time } from '../../kit/values'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'
import { SearchBox } from './search-box'

/** All projects of the deployment. */
export default function Projects() {
  const t = useText('platform')
  const c = useText('common')
  const [params, set] = useParams()
  const suspended = params.get('suspended')
  const isFlag = suspended === 'true' || suspended === 'false'
  const list = useList('/admin/projects', {
    params: { query: { q: params.get('q') ?? '', ...(isFlag && { suspended }) } },
  })
  return (
    <PlatformPage
      title={c.projects}
      purpose={t.projectsPurpose}
      filters={
        <>
          <SearchBox label={t.searchProjects} />
          <FilterSelect
            label={c.state}
            value={isFlag ? suspended : ''}
            options={[
              ['', c.all],
              ['false', t.open],
              ['true', t.suspended],
            ]}
            onChange={(event) => set({ suspended: event.target.value || null })}
          />
        </>
      }
    >
      <Card flush>
        <DataTable
          label={c.projects}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/platform/projects/${id}`}
          empty={<Empty title={c.nothingFound} />}
          columns={[
            { title: c.name, cell: ({ name }) => name, whole: ({ name }) => name },
            { title: t.owner, isExtra: true, cell: ({ ownerEmail }) => ownerEmail ?? '—' },
            { title: c.members, isNumber: true, isExtra: true, cell: ({ members }) => <Count value={members} /> },
            { title: c.subscribers, isNumber: true, cell: ({ subscribers }) => <Count value={subscribers} /> },
            {
              title: c.state,
              cell: ({ suspendedAt }) => (
                <State tone={suspendedAt === null ? 'good' : 'bad'}>
                  {suspendedAt === null ? t.open : t.suspended}
                </State>
              ),
            },
            { title: t.lastActivity, isExtra: true, cell: ({ lastActivityAt }) => <Time at={lastActivityAt} /> },
          ]}
        />
      </Card>
    </PlatformPage>
  )
}
