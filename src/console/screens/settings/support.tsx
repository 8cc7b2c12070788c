import { useState } from 'react'
import { api } from '../../api/client'
import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { State } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { now } from '../../lib/clock'
import { useProject } from '../../lib/session'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'

type Grant = Schemas['SupportAccess']

const GRANTS = '/dashboard/projects/{projectId}/support-grants'

const isLive = ({ revokedAt, expiresAt }: Grant): boolean => revokedAt === null && Date.parse(expiresAt) > now()

/** The times at which administrators of the platform may or might read the project, and why. */
export default function Support() {
  const t = useText('settings')
  const c = useText('common')
  const { path, hasRole } = useProject()
  const [ended, setEnded] = useState<string | null>(null)
  const list = useList(GRANTS, { params: { path } })
  const open = list.items.find(({ id }) => id === ended)
  const reason = hasRole('ADMIN') ? null : c.roleNeeded('ADMIN')
  return (
    <Page title={c.support} purpose={t.supportPurpose}>
      <Card flush>
        <DataTable
          label={c.support}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noSupport}>{t.noSupportHint}</Empty>}
          columns={[
            { title: t.administrator, cell: ({ adminEmail }) => adminEmail, whole: ({ adminEmail }) => adminEmail },
            { title: t.why, cell: ({ reason: why }) => why, whole: ({ reason: why }) => why },
            { title: c.state, cell: (grant) => <GrantState grant={grant} /> },
            { title: c.from, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: c.to, isNamed: true, cell: ({ expiresAt, revokedAt }) => <Time at={revokedAt ?? expiresAt} /> },
            {
              title: <span className="sr-only">{c.actions}</span>,
              isNumber: true,
              cell: (grant) =>
                isLive(grant) && (
                  <Button variant="quiet" reason={reason} onClick={() => setEnded(grant.id)}>
                    {t.endAccess}
                  </Button>
                ),
            },
          ]}
        />
      </Card>
      {open && <EndAccess grant={open} onClose={() => setEnded(null)} />}
    </Page>
  )
}

function GrantState({ grant }: { grant: Grant }) {
  const t = useText('settings')
  if (isLive(grant))
    return (
      <State tone="warn" live>
        {t.supportLive}
      </State>
    )
  return <State tone="mute">{grant.revokedAt === null ? t.supportOver : t.supportEnded}</State>
}

function EndAccess({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const t = useText('settings')
  const { path } = useProject()
  return (
    <Removal
      title={t.endAccessTitle(grant.adminEmail)}
      word={t.endAccess}
      done={t.supportEnded}
      run={() =>
        api.delete('/dashboard/projects/{projectId}/support-grants/{id}', {
          params: { path: { ...path, id: grant.id }, header: { 'If-Match': `"${grant.revision}"` } },
        })
      }
      refreshes={[GRANTS]}
      onClose={onClose}
    >
      <p>{t.endAccessEffect}</p>
    </Removal>
  )
}
