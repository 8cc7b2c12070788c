import { useList } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { Connect } from './connect'
import { type Integration, PATH } from './draft'
import { KINDS, namesOfKind, PROVIDERS, providerOf, titleOf } from './providers'

export default function Integrations() {
  const t = useText('connections')
  const common = useText('common')
  const { path, base } = useProject()
  const [values, set] = useParams()
  const list = useList(PATH, { params: { path } })
  const chosen = providerOf(values.get('connect') ?? '')
  return (
    <Page title={common.integrations} purpose={t.integrationsPurpose}>
      <Card title={t.connectedServices} flush>
        <DataTable
          label={t.connectedServices}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/connections/integrations/${id}`}
          empty={<Empty title={t.noIntegrations}>{t.noIntegrationsWhy}</Empty>}
          columns={[
            { title: common.name, cell: ({ provider }) => titleOf(provider) },
            { title: common.status, cell: (one) => <IntegrationState integration={one} /> },
            { title: t.credential, cell: ({ hint }) => <span className="font-mono text-xs">{hint}</span> },
            { title: t.lastSuccess, cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} />, isExtra: true },
          ]}
        />
      </Card>
      <Providers
        connected={list.items.map(({ provider }) => provider)}
        onChoose={(name) => set({ connect: name }, { push: true })}
      />
      {chosen && <Connect key={chosen} provider={chosen} onClose={() => set({ connect: null })} />}
    </Page>
  )
}

export function IntegrationState({ integration: { isEnabled, lastError } }: { integration: Integration }) {
  const t = useText('connections')
  if (!isEnabled) return <State tone="mute">{t.disabled}</State>
  return lastError === null ? <State tone="good">{t.enabled}</State> : <State tone="bad">{t.lastFailed}</State>
}

interface ProvidersProps {
  connected: readonly string[]
  onChoose: (name: string) => void
}

/** All services that events can be sent to, by purpose. */
function Providers({ connected, onChoose }: ProvidersProps) {
  const t = useText('connections')
  const right = useRights().needsRole('ADMIN')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 lg:grid-cols-3">
      {KINDS.map((kind) => (
        <Card key={kind} title={t.providerKinds[kind]}>
          <ul className="divide-y divide-line">
            {namesOfKind(kind).map((name) => {
              const { title, isRepeatable } = PROVIDERS[name]
              const isThere = connected.includes(name) && !isRepeatable
              return (
                <li key={name} className="flex min-h-11 items-center justify-between gap-3">
                  <span>{title}</span>
                  <Button onClick={() => onChoose(name)} reason={right ?? (isThere ? t.connectedAlready : null)}>
                    {t.connect}
                    <span className="sr-only"> {title}</span>
                  </Button>
                </li>
              )
            })}
          </ul>
        </Card>
      ))}
    </div>
  )
}
