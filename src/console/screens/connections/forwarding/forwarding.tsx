import { useState } from 'react'
import { api } from '../../../api/client'
import { useList } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { NewForward, PATH } from './new-forward'

type Forward = Schemas['NotificationForward']

export default function Forwarding() {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [doing, setDoing] = useParam('do')
  const [leaving, setLeaving] = useState<Forward | null>(null)
  const reason = useRights().needsRole('ADMIN')
  const list = useList(PATH, { params: { path } })
  return (
    <Page
      title={common.forwarding}
      purpose={t.forwardingPurpose}
      actions={
        <Button variant="primary" onClick={() => setDoing('add', { push: true })} reason={reason}>
          {t.newForward}
        </Button>
      }
    >
      <Card flush>
        <DataTable
          label={common.forwarding}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noForwards}>{t.noForwardsWhy}</Empty>}
          columns={[
            { title: t.url, cell: ({ url }) => <CopyText text={url} />, whole: ({ url }) => url },
            { title: common.store, cell: ({ store }) => common.storeNames[store] },
            { title: t.lastAnswer, cell: (one) => <LastAnswer forward={one} /> },
            { title: t.failures24h, cell: ({ failures24h }) => <Count value={failures24h} />, isNumber: true },
            { title: t.lastSent, cell: ({ lastAt }) => <Time at={lastAt} />, isExtra: true },
            {
              title: <span className="sr-only">{common.actions}</span>,
              cell: (one) => (
                <Button variant="quiet" onClick={() => setLeaving(one)} reason={reason}>
                  {common.remove}
                </Button>
              ),
            },
          ]}
        />
      </Card>
      {doing === 'add' && <NewForward onClose={() => setDoing(null)} reason={reason} />}
      {leaving && <Remove forward={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  )
}

function LastAnswer({ forward: { lastStatus } }: { forward: Forward }) {
  if (lastStatus === null) return <span>—</span>
  return (
    <State tone={lastStatus >= 200 && lastStatus < 300 ? 'good' : 'bad'}>
      <span className="font-mono text-xs">{lastStatus}</span>
    </State>
  )
}

function Remove({ forward, onClose }: { forward: Forward; onClose: () => void }) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  return (
    <Removal
      title={t.removeForward}
      done={common.deletedName(forward.url)}
      run={() => api.delete(`${PATH}/{id}`, { params: { path: { ...path, id: forward.id } } })}
      refreshes={[PATH]}
      onClose={onClose}
    >
      <p>{t.removeForwardHint}</p>
      <p className="font-mono text-xs break-all">{forward.url}</p>
    </Removal>
  )
}
