import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { CopyText } from '../../kit/copy'
import { Dialog } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { KeyState } from './key-fields'
import { KeySecret } from './key-secret'
import { KeySheet } from './key-sheet'
import { NewKey } from './new-key'

/** The keys with which apps and servers call the API. */
export default function ApiKeys() {
  const t = useText('settings')
  const c = useText('common')
  const { path, hasRole } = useProject()
  const [params, set] = useParams()
  const [made, setMade] = useState<Schemas['ApiKeyWithSecret'] | null>(null)
  const list = useList('/dashboard/projects/{projectId}/api-keys', { params: { path } })
  const reason = hasRole('ADMIN') ? null : c.roleNeeded('ADMIN')
  const close = () => set({ do: null, key: null })
  const open = list.items.find(({ id }) => id === params.get('key'))
  return (
    <Page
      title={c.apiKeys}
      purpose={t.keysPurpose}
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden size={15} />}
          reason={reason}
          onClick={() => set({ do: 'create' }, { push: true })}
        >
          {t.createKey}
        </Button>
      }
    >
      <Card flush>
        <KeyTable list={list} onOpen={(key) => set({ key }, { push: true })} />
      </Card>
      {params.get('do') === 'create' && (
        <Dialog kind="sheet" title={t.createKey} onClose={close}>
          <NewKey
            reason={reason}
            onCancel={close}
            onMade={(key) => {
              close()
              setMade(key)
            }}
          />
        </Dialog>
      )}
      {open && <KeySheet key={open.id} apiKey={open} reason={reason} onClose={close} onRotated={setMade} />}
      {made && <KeySecret made={made} onClose={() => setMade(null)} />}
    </Page>
  )
}

interface TableProps {
  list: ReturnType<typeof useList<'/dashboard/projects/{projectId}/api-keys'>>
  onOpen: (id: string) => void
}

function KeyTable({ list, onOpen }: TableProps) {
  const t = useText('settings')
  const c = useText('common')
  const { base } = useProject()
  return (
    <DataTable
      label={c.apiKeys}
      list={list}
      keyOf={({ id }) => id}
      phone={{
        hrefOf: ({ id }) => `${base}/settings/api-keys?key=${id}`,
        lines: (key) => ({
          title: key.label || '—',
          amount: <KeyState apiKey={key} />,
          detail: t.keyEnvironments[key.environment] ?? key.environment,
          aside: (
            <>
              {t.lastUsed}: {key.lastUsedAt === null ? c.never : <Time at={key.lastUsedAt} />}
            </>
          ),
        }),
      }}
      empty={<Empty title={t.noKeys}>{t.noKeysHint}</Empty>}
      columns={[
        {
          title: t.label,
          whole: ({ label }) => label,
          cell: ({ id, label }) => (
            <button
              type="button"
              className="max-w-56 truncate font-medium text-accent hover:underline max-md:max-w-36"
              onClick={() => onOpen(id)}
            >
              {label || '—'}
            </button>
          ),
        },
        { title: c.state, cell: (key) => <KeyState apiKey={key} /> },
        { title: t.environment, cell: ({ environment }) => t.keyEnvironments[environment] ?? environment },
        {
          title: t.publicKey,
          isExtra: true,
          cell: ({ publicKey }) => (publicKey === null ? '—' : <CopyText text={publicKey} className="max-w-44" />),
        },
        {
          title: t.secret,
          isExtra: true,
          cell: ({ secretLast4 }) =>
            secretLast4 === null ? '—' : <span className="font-mono text-xs">…{secretLast4}</span>,
        },
        { title: t.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt === null ? c.never : <Time at={lastUsedAt} />) },
        { title: c.createdAt, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
