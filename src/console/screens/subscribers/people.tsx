import type { PurchaseStatus } from '../../../core/purchase/status'
import { useEvery } from '../../api/every'
import { useList } from '../../api/queries'

import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Id } from '../../kit/copy'
import { Empty, Skeleton } from '../../kit/empty'
import { FilterSelect } from '../../kit/filter-select'
import { Page } from '../../kit/page'
import { Chip } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Money, Time } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { Identicon } from '../../parts/identicon'
import { PersonName, usePersonName } from '../../parts/person-link'
import { useHref } from '../../parts/use-href'
import { useLiveRows } from '../../parts/use-live-rows'
import { useText } from '../../text/catalogue'
import { SearchField, termOf } from './search-field'

const PAGE = 100
const NAMES = ['q', 'access', 'status', 'platform', 'audience'] as const

/** Everybody, with a search and filters. */
export default function People() {
  const t = useText('subscribers')
  const c = useText('common')
  return (
    <Page title={c.people} purpose={t.purpose} filters={<Filters />}>
      <Card flush>
        <Table />
      </Card>
    </Page>
  )
}

function Filters() {
  const t = useText('subscribers')
  const c = useText('common')
  const { path } = useProject()
  const [values, set] = useParams()
  const access = useEvery('/dashboard/projects/{projectId}/access', { params: { path, query: { limit: 200 } } })
  const audiences = useEvery('/dashboard/projects/{projectId}/audiences', { params: { path, query: { limit: 200 } } })
  const held = (name: string) => values.get(name) ?? ''
  const of = (name: string) => ({
    value: held(name),
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  })
  const any = ['', t.allAccess] as const
  return (
    <>
      <SearchField label={t.searchLabel} placeholder={t.searchHint} value={held('q')} onChange={(q) => set({ q })} />
      <FilterSelect
        label={c.access}
        {...of('access')}
        options={[any, ...access.items.map((one) => [one.identifier, one.identifier] as const)]}
      />
      <FilterSelect label={c.status} {...of('status')} options={[any, ...Object.entries(t.statuses)]} />
      <FilterSelect label={t.platform} {...of('platform')} options={[any, ...Object.entries(t.platforms)]} />
      <FilterSelect
        label={t.audience}
        {...of('audience')}
        options={[any, ...audiences.items.filter((one) => !one.isDefault).map((one) => [one.id, one.name] as const)]}
      />
      {NAMES.some((name) => values.has(name)) && (
        <Button variant="quiet" onClick={() => set(Object.fromEntries(NAMES.map((name) => [name, null])))}>
          {t.clear}
        </Button>
      )}
    </>
  )
}

function usePeople() {
  const { path, environment } = useProject()
  const [values] = useParams()
  const list = useList('/dashboard/projects/{projectId}/subscribers', {
    params: {
      path,
      query: {
        limit: PAGE,
        environment,
        q: termOf(values.get('q') ?? ''),
        access: values.get('access') ?? '',
        status: (values.get('status') ?? '') as PurchaseStatus,
        platform: (values.get('platform') ?? '') as 'ios',
        audienceId: values.get('audience') ?? '',
      },
    },
  })
  return { list, isFiltered: NAMES.some((name) => values.has(name)) }
}

function Table() {
  const t = useText('subscribers')
  const c = useText('common')
  const href = useHref()
  const [values] = useParams()
  // The palette came here to have a person chosen.
  const doing = values.get('to') === 'grant' ? 'grant' : null
  const personName = usePersonName()
  const { list, isFiltered } = usePeople()
  useLiveRows('/dashboard/projects/{projectId}/subscribers')
  return (
    <DataTable
      label={c.people}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => href(`/subscribers/${id}`, doing === null ? {} : { do: doing })}
      empty={<NoPeople isLooking={list.hasMore} isFiltered={isFiltered} />}
      phone={{
        lines: ({ id, person, access, lifetimeSpend, lastSeenAt }) => ({
          icon: <Identicon id={id} size={32} />,
          title: <PersonName person={person} />,
          amount: <Money micros={lifetimeSpend.amountMicros} currency={lifetimeSpend.currency} />,
          detail: <AccessChips access={access} />,
          aside: <Time at={lastSeenAt} />,
        }),
      }}
      columns={[
        {
          title: t.person,
          whole: ({ person }) => personName(person),
          cell: (row) => (
            <span className="inline-flex max-w-full items-center gap-2 align-middle">
              <Identicon id={row.id} size={18} />
              <bdi className="max-w-64 cut max-md:max-w-36">{personName(row.person)}</bdi>
              {row.person.country && <span className="text-xs text-ink-2">{row.person.country}</span>}
            </span>
          ),
        },
        { title: c.access, cell: ({ access }) => <AccessChips access={access} /> },
        {
          title: t.spent,
          isNumber: true,
          cell: ({ lifetimeSpend }) => <Money micros={lifetimeSpend.amountMicros} currency={lifetimeSpend.currency} />,
        },
        { title: t.lastSeen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
        { title: t.firstSeen, isExtra: true, cell: ({ firstSeenAt }) => <Time at={firstSeenAt} day /> },
        {
          title: c.id,
          isExtra: true,
          cell: ({ id }) => (
            <span className="-my-1 inline-flex align-middle">
              <Id id={id} />
            </span>
          ),
        },
      ]}
    />
  )
}

function AccessChips({ access }: { access: readonly string[] }) {
  const t = useText('subscribers')
  if (access.length === 0) return <span className="text-ink-3">{t.noAccess}</span>
  return (
    <span className="inline-flex gap-1">
      {access.slice(0, 3).map((one) => (
        <Chip key={one} tone="good">
          {one}
        </Chip>
      ))}
      {access.length > 3 && <span className="text-xs text-ink-2">+{access.length - 3}</span>}
    </span>
  )
}

function NoPeople({ isLooking, isFiltered }: { isLooking: boolean; isFiltered: boolean }) {
  const t = useText('subscribers')
  if (isLooking)
    return (
      <div role="status" className="px-4">
        <p className="pt-3 text-xs text-ink-2">{t.looking}</p>
        <Skeleton lines={4} />
      </div>
    )
  if (isFiltered) return <Empty title={t.noPeopleFound}>{t.noPeopleFoundWhy}</Empty>
  return <Empty title={t.noPeople}>{t.noPeopleWhy}</Empty>
}
