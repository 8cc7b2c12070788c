import { useState } from 'react'
import { api } from '../../api/client'
import { useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Because } from '../../kit/mark'
import { State, type Tone } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { Removal } from '../../parts/removal'
import { useReason } from '../../parts/store-reason'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'

type Name = Schemas['TlsName']

const TONES: Record<Name['status'], Tone> = { PENDING: 'warn', VALID: 'good', EXPIRED: 'bad', FAILED: 'bad' }

/** The names that this server speaks https for. */
export default function Certificates() {
  const t = useText('platform')
  const c = useText('common')
  const errors = useText('domains').certificateErrors
  const reasonOf = useReason()
  const list = useList('/admin/tls', {})
  const status = useRead('/admin/tls', {}).data
  const [renewed, setRenewed] = useState<Name | null>(null)
  const why = ({ error }: Name) => (error ? `${errors[error.code]} ${reasonOf(error.detail)}` : '')
  return (
    <PlatformPage title={t.certificates} purpose={status && t.tlsModes[status.mode]}>
      {status?.fault != null && <Because>{reasonOf(status.fault)}</Because>}
      <Card flush>
        <DataTable
          label={t.certificates}
          list={list}
          keyOf={({ name }) => name}
          empty={<Empty title={t.noCertificates}>{t.noCertificatesHint}</Empty>}
          columns={[
            { title: c.name, cell: ({ name }) => <span className="font-mono text-xs">{name}</span> },
            { title: c.state, cell: ({ status: state }) => <State tone={TONES[state]}>{t.tlsState[state]}</State> },
            { title: t.validTo, isNamed: true, cell: ({ notAfter }) => <Time at={notAfter} absolute /> },
            { title: t.issuer, isExtra: true, cell: ({ issuer }) => issuer ?? '—' },
            { title: t.nextAttempt, isExtra: true, cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} /> },
            { title: t.lastError, isExtra: true, cell: (one) => why(one) || '—', whole: why },
            {
              title: <span className="sr-only">{c.actions}</span>,
              isNumber: true,
              cell: (one) => (
                <>
                  {one.projectId !== null && (
                    <LinkButton variant="quiet" href={`/platform/projects/${one.projectId}`}>
                      {c.open}
                    </LinkButton>
                  )}
                  {status?.mode === 'auto' && (
                    <Button variant="quiet" onClick={() => setRenewed(one)}>
                      {t.renew}
                    </Button>
                  )}
                </>
              ),
            },
          ]}
        />
      </Card>
      {renewed && <Renew name={renewed.name} onClose={() => setRenewed(null)} />}
    </PlatformPage>
  )
}

function Renew({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useText('platform')
  return (
    <Removal
      title={t.renewTitle(name)}
      word={t.renew}
      done={t.isRenewing(name)}
      run={() => api.post('/admin/tls/renew', { body: { name } })}
      refreshes={['/admin/tls']}
      onClose={onClose}
    >
      <p>{t.renewEffect}</p>
    </Removal>
  )
}
