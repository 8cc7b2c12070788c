import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { PlainTable } from '../../kit/table'
import { useFailureToast } from '../../kit/use-failure-toast'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'

const PATH = '/dashboard/me/accounts'

interface Row {
  provider: string
  email: string | null
}

/** The accounts elsewhere that can open this one. */
export function LinkedAccounts() {
  const t = useText('account')
  const options = useRead('/api/auth/options', {})
  const accounts = useRead(PATH, {})
  const error = options.error ?? accounts.error
  const rows: Row[] = providersOf(options.data?.providers ?? [], accounts.data?.items ?? [])
  return (
    <Card flush title={t.linked}>
      {error && (
        <div className="px-4">
          <Failure error={error} onRetry={() => void Promise.all([options.refetch(), accounts.refetch()])} />
        </div>
      )}
      {!error && (!options.data || !accounts.data) && <Skeleton lines={2} className="px-4" />}
      {options.data && accounts.data && <Table rows={rows} />}
    </Card>
  )
}

/** Every provider that is set up, and the links with providers that no longer are. */
function providersOf(offered: readonly string[], linked: readonly { provider: string; email: string }[]): Row[] {
  const names = [...new Set([...offered, ...linked.map(({ provider }) => provider)])]
  return names.map((provider) => ({ provider, email: linked.find((one) => one.provider === provider)?.email ?? null }))
}

function Table({ rows }: { rows: Row[] }) {
  const t = useText('account')
  const c = useText('common')
  const [unlinked, setUnlinked] = useState<Row | null>(null)
  return (
    <>
      <PlainTable
        label={t.linked}
        rows={rows}
        keyOf={({ provider }) => provider}
        empty={<Empty title={t.noProviders}>{t.noProvidersHint}</Empty>}
        columns={[
          { title: t.provider, cell: ({ provider }) => t.providerName(provider) },
          { title: t.mail, cell: ({ email }) => email ?? t.notLinked },
          {
            title: <span className="sr-only">{c.actions}</span>,
            isNumber: true,
            cell: (row) => <LinkAct row={row} onUnlink={() => setUnlinked(row)} />,
          },
        ]}
      />
      {unlinked && <Unlink row={unlinked} onClose={() => setUnlinked(null)} />}
    </>
  )
}

function LinkAct({ row, onUnlink }: { row: Row; onUnlink: () => void }) {
  const failed = useFailureToast()
  const t = useText('account')
  const link = useAction({
    run: () =>
      api.post('/dashboard/me/accounts/{provider}', { params: { path: { provider: row.provider } }, body: {} }),
    onDone: ({ url }) => location.assign(url),
    onFailure: failed,
  })
  if (row.email !== null)
    return (
      <Button variant="quiet" onClick={onUnlink}>
        {t.unlink}
      </Button>
    )
  return (
    <Button variant="quiet" busy={link.busy} onClick={() => link.submit(undefined)}>
      {t.link}
    </Button>
  )
}

function Unlink({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useText('account')
  return (
    <Removal
      title={t.unlinkTitle(t.providerName(row.provider))}
      word={t.unlink}
      done={t.unlinked(t.providerName(row.provider))}
      run={() => api.delete('/dashboard/me/accounts/{provider}', { params: { path: { provider: row.provider } } })}
      refreshes={[PATH]}
      onClose={onClose}
    >
      {t.unlinkEffect}
    </Removal>
  )
}
