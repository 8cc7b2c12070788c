import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client'
import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Code } from '../../kit/copy'
import { SecretShown } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useParam } from '../../lib/url-state'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'
import { NewToken, TOKENS_PATH as PATH } from './new-token'

type Token = Schemas['AccessToken']
type Made = Schemas['CreatedAccessToken']

/** Personal access tokens, for commands and scripts. */
export default function Tokens() {
  const t = useText('account')
  const c = useText('common')
  const [asked, setAsked] = useParam('do')
  const [made, setMade] = useState<Made | null>(null)
  const [deleted, setDeleted] = useState<Token | null>(null)
  const list = useList(PATH, {})
  return (
    <Page
      title={c.tokens}
      purpose={t.tokensPurpose}
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden size={15} />}
          onClick={() => setAsked('create', { push: true })}
        >
          {t.createToken}
        </Button>
      }
    >
      <Card flush>
        <DataTable
          label={c.tokens}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noTokens}>{t.noTokensHint}</Empty>}
          columns={[
            { title: c.name, cell: ({ name }) => name, whole: ({ name }) => name },
            {
              title: t.token,
              isExtra: true,
              cell: ({ prefix }) => <span className="font-mono text-xs">{prefix}…</span>,
            },
            {
              title: t.tokenScopes,
              cell: ({ scopes }) => <Scopes scopes={scopes} />,
              whole: ({ scopes }) => scopes?.join(', ') ?? t.tokenReach.all.name,
            },
            {
              title: t.lastUsed,
              isNamed: true,
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? c.never : <Time at={lastUsedAt} />),
            },
            {
              title: t.expires,
              isExtra: true,
              cell: ({ expiresAt }) => (expiresAt === null ? c.never : <Time at={expiresAt} />),
            },
            {
              title: <span className="sr-only">{c.actions}</span>,
              isNumber: true,
              cell: (token) => (
                <Button variant="quiet" onClick={() => setDeleted(token)}>
                  {c.delete}
                </Button>
              ),
            },
          ]}
        />
      </Card>
      {asked === 'create' && <NewToken onClose={() => setAsked(null)} onMade={setMade} />}
      {made && (
        <SecretShown title={made.name} onClose={() => setMade(null)}>
          <Code label={t.token} text={made.token} />
          <Code label={t.tokenUse} text={`SVC_TOKEN=$YOUR_TOKEN svc apply -f svc.yaml --url ${location.origin}`} />
        </SecretShown>
      )}
      {deleted && <DeleteToken token={deleted} onClose={() => setDeleted(null)} />}
    </Page>
  )
}

/** What a token may do; the names of capabilities are those of the API. */
function Scopes({ scopes }: Pick<Token, 'scopes'>) {
  const t = useText('account')
  if (scopes === null) return t.tokenReach.all.name
  if (scopes.join() === 'read') return t.tokenReach.read.name
  return <span className="font-mono text-xs">{scopes.join(', ')}</span>
}

function DeleteToken({ token, onClose }: { token: Token; onClose: () => void }) {
  const t = useText('account')
  const c = useText('common')
  return (
    <Removal
      title={t.deleteToken(token.name)}
      word={c.delete}
      done={c.deletedName(token.name)}
      run={() => api.delete('/dashboard/me/tokens/{id}', { params: { path: { id: token.id } } })}
      refreshes={[PATH]}
      onClose={onClose}
    >
      {t.deleteTokenEffect}
    </Removal>
  )
}
