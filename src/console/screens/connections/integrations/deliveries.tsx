import { api } from '../../../api/client'
import { useAction, useList, useRefresh } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { FilterSelect } from '../../../kit/filter-select'
import { DataTable } from '../../../kit/table'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { DeliveryState } from '../deliveries/delivery-table'
import { type Delivery, isOpen, STATES, stateOf } from '../deliveries/model'
import { useReason } from '../deliveries/use-reason'
import { useEvery } from '../shared/live'
import { useRights } from '../shared/rights'
import { PATH } from './draft'

/** The deliveries to the service, with the reason of each failure. */
export function IntegrationDeliveries({ id }: { id: string }) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const refresh = useRefresh()
  const wordsOf = useReason()
  const [given, setStatus] = useParam('status')
  const status = stateOf(given)
  const list = useList(`${PATH}/{id}/deliveries`, {
    params: { path: { ...path, id }, query: { ...(status && { status }) } },
  })
  useEvery(list.items.some((one) => isOpen(one.status)) ? 2000 : 10_000, () => refresh(`${PATH}/{id}/deliveries`))
  return (
    <Card
      title={common.deliveries}
      flush
      aside={
        <FilterSelect
          label={common.status}
          value={status ?? ''}
          onChange={({ target }) => setStatus(target.value)}
          options={[['', common.all], ...STATES.map((one) => [one, t.deliveryStates[one]] as const)]}
        />
      }
    >
      <DataTable
        label={common.deliveries}
        list={list}
        keyOf={(one) => one.id}
        empty={
          <Empty title={status ? common.nothingFound : t.noDeliveries}>{!status && t.noIntegrationDeliveries}</Empty>
        }
        columns={[
          { title: common.type, cell: ({ type }) => <span className="font-mono text-xs">{type}</span> },
          { title: common.status, cell: (one) => <DeliveryState delivery={one} /> },
          {
            title: t.reason,
            cell: (one) => wordsOf(reasonOf(one)),
            whole: (one) => `${wordsOf(reasonOf(one))} ${reasonOf(one)}`,
          },
          { title: t.attempts, cell: ({ attempts }) => <Count value={attempts} />, isNumber: true, isExtra: true },
          { title: common.createdAt, cell: ({ createdAt }) => <Time at={createdAt} />, isExtra: true },
          { title: <span className="sr-only">{common.actions}</span>, cell: (one) => <Redeliver delivery={one} /> },
        ]}
      />
    </Card>
  )
}

const reasonOf = ({ skipReason, lastError, lastStatusCode }: Delivery): string =>
  skipReason ?? lastError ?? (lastStatusCode === null ? '—' : String(lastStatusCode))

function Redeliver({ delivery: { id, isTest } }: { delivery: Delivery }) {
  const failed = useFailureToast()
  const t = useText('connections')
  const { path } = useProject()
  const right = useRights().needs('webhooks:write')
  const act = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/integration-deliveries/{id}/redeliver', {
        params: { path: { ...path, id } },
        body: {},
      }),
    refreshes: [`${PATH}/{id}/deliveries`],
    onDone: () => toast(t.verbsDone.redeliver),
    onFailure: failed,
  })
  return (
    <Button
      variant="quiet"
      onClick={() => act.submit(undefined)}
      busy={act.busy}
      reason={right ?? (isTest ? t.notTests : null)}
    >
      {t.verbs.redeliver}
    </Button>
  )
}
