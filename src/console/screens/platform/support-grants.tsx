import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../api/client'
import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { State } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { now } from '../../lib/clock'
import { useSession } from '../../lib/session'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'

type Grant = Schemas['SupportGrant']

const isLive = ({ revokedAt, expiresAt }: Grant): boolean => revokedAt === null && Date.parse(expiresAt) > now()

/** When administrators opened projects for reading, and why. */
export default function SupportGrants() {
  const t = useText('platform')
  const c = useText('common')
  const { me } = useSession()
  const [ended, setEnded] = useState<Grant | null>(null)
  const list = useList('/admin/support-grants', {})
  return (
    <PlatformPage title={t.supportGrants} purpose={t.grantsPurpose}>
      <Card flush>
        <DataTable
          label={t.supportGrants}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noGrants}>{t.noGrantsHint}</Empty>}
          columns={[
            {
              title: c.project,
              whole: ({ projectId }) => projectId,
              cell: ({ projectId }) => (
                <Link
                  href={`/platform/projects/${projectId}`}
                  className="font-mono text-xs text-accent hover:underline"
                >
                  {projectId}
                </Link>
              ),
            },
            { title: t.reason, isExtra: true, cell: ({ reason }) => reason, whole: ({ reason }) => reason },
            {
              title: c.state,
              cell: (grant) => (
                <State tone={isLive(grant) ? 'warn' : 'mute'}>{isLive(grant) ? t.grantLive : t.grantOver}</State>
              ),
            },
            { title: c.to, isExtra: true, cell: ({ revokedAt, expiresAt }) => <Time at={revokedAt ?? expiresAt} /> },
            {
              title: <span className="sr-only">{c.actions}</span>,
              isNumber: true,
              cell: (grant) =>
                isLive(grant) && (
                  <>
                    {grant.adminId === me.id && (
                      <LinkButton variant="quiet" href={`/p/${grant.projectId}/overview`}>
                        {c.open}
                      </LinkButton>
                    )}
                    <Button variant="quiet" onClick={() => setEnded(grant)}>
                      {t.endGrant}
                    </Button>
                  </>
                ),
            },
          ]}
        />
      </Card>
      {ended && <End grant={ended} onClose={() => setEnded(null)} />}
    </PlatformPage>
  )
}

function End({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const t = useText('platform')
  return (
    <Removal
      title={t.endGrant}
      done={t.grantOver}
      run={() => api.delete('/admin/support-grants/{id}', { params: { path: { id: grant.id } } })}
      refreshes={['/admin/support-grants', '/dashboard/projects']}
      onClose={onClose}
    >
      <p>{t.endGrantEffect}</p>
    </Removal>
  )
}
