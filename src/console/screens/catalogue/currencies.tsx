import { Plus } from 'lucide-react'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Checkbox } from '../../kit/field'
import { Page } from '../../kit/page'
import { State } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Count } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { CurrencySheet } from './currency-sheet'
import { useCurrencies } from './use-catalogue'

/** Virtual currencies and their balances. */
export default function Currencies() {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const [params, setParams] = useParams()
  const list = useCurrencies()
  const showsArchived = params.get('archived') === 'yes'
  const items = list.items.filter(({ archivedAt }) => showsArchived || archivedAt === null)
  const reason = can('virtual-currency:manage') ? null : common.roleNeeded(roleFor('virtual-currency:manage'))
  const opened = list.items.find(({ id }) => id === params.get('id'))
  const close = () => setParams({ do: null, id: null })
  const create = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden size={14} />}
      reason={reason}
      onClick={() => setParams({ do: 'new' }, { push: true })}
    >
      {t.newCurrency}
    </Button>
  )
  return (
    <Page
      title={common.currencies}
      purpose={t.currenciesPurpose}
      actions={create}
      search={
        <Checkbox
          label={t.showArchived}
          checked={showsArchived}
          onChange={(isOn) => setParams({ archived: isOn ? 'yes' : null })}
        />
      }
    >
      <Card flush>
        <DataTable
          label={common.currencies}
          list={{ ...list, items }}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/catalogue/currencies?do=edit&id=${id}${showsArchived ? '&archived=yes' : ''}`}
          empty={
            <Empty title={t.noCurrencies} action={create}>
              {t.noCurrenciesHint}
            </Empty>
          }
          columns={[
            { title: t.code, cell: ({ code }) => <span className="font-mono">{code}</span>, whole: ({ code }) => code },
            { title: common.name, cell: ({ name }) => name, whole: ({ name }) => name },
            { title: t.holders, isNumber: true, cell: ({ holders }) => <Count value={holders} /> },
            { title: t.total, isNumber: true, cell: ({ total }) => <Count value={total} /> },
            { title: t.clawback, isExtra: true, cell: ({ clawback }) => t.clawbacks[clawback ?? 'default'] },
            {
              title: common.state,
              cell: ({ archivedAt }) => (
                <State tone={archivedAt ? 'mute' : 'good'}>{archivedAt ? t.archived : t.active}</State>
              ),
            },
          ]}
        />
      </Card>
      {params.get('do') === 'new' && <CurrencySheet key="new" currency={null} reason={reason} onClose={close} />}
      {params.get('do') === 'edit' && opened && (
        <CurrencySheet key={opened.id} currency={opened} reason={reason} onClose={close} />
      )}
    </Page>
  )
}
