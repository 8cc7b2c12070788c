import { useRead } from '../../../api/queries'
import { Card } from '../../../kit/card'
import { FilterSelect } from '../../../kit/filter-select'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { typeOptions } from '../shared/event-types'
import { FilterText } from '../shared/filter-text'
import { DeliveryTable } from './delivery-table'
import { STATES, stateOf } from './model'

export default function Deliveries() {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [values, set] = useParams()
  const endpoints = useRead('/dashboard/projects/{projectId}/webhook-endpoints', { params: { path } })
  const names = new Map((endpoints.data?.items ?? []).map(({ id, name }) => [id, name]))
  const status = stateOf(values.get('status') ?? '')
  const filter = {
    ...(values.get('endpoint') && { endpointId: values.get('endpoint') ?? '' }),
    ...(status && { status }),
    ...(values.get('type') && { type: values.get('type') ?? '' }),
    ...(values.get('subscriber') && { subscriberId: values.get('subscriber') ?? '' }),
  }
  return (
    <Page
      title={common.deliveries}
      purpose={t.deliveriesPurpose}
      filters={
        <>
          <FilterSelect
            label={t.endpoint}
            value={values.get('endpoint') ?? ''}
            onChange={({ target }) => set({ endpoint: target.value })}
            options={[['', common.all], ...names]}
          />
          <FilterSelect
            label={common.status}
            value={status ?? ''}
            onChange={({ target }) => set({ status: target.value })}
            options={[['', common.all], ...STATES.map((one) => [one, t.deliveryStates[one]] as const)]}
          />
          <FilterSelect
            label={common.type}
            value={values.get('type') ?? ''}
            onChange={({ target }) => set({ type: target.value })}
            options={[
              ...typeOptions(common.all).filter(([one]) => !one.endsWith('*')),
              ['webhook.test', 'webhook.test'],
            ]}
          />
          <FilterText
            label={t.subscriberId}
            value={values.get('subscriber') ?? ''}
            onChange={(subscriber) => set({ subscriber })}
          />
        </>
      }
    >
      <Card flush>
        <DeliveryTable filter={filter} names={names} />
      </Card>
    </Page>
  )
}
