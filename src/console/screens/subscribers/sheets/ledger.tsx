import { useList } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Empty } from '../../../kit/empty'
import { DataTable } from '../../../kit/table'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { usePerson } from '../../../parts/use-person'
import { useWords, wordOf } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

/** Every line of the person's balances, newest first. */
export function LedgerSheet({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const c = useText('common')
  const { path } = useProject()
  const { subscriber } = usePerson()
  const list = useList('/dashboard/projects/{projectId}/subscribers/{id}/ledger', {
    params: { path: { ...path, id: subscriber.id }, query: { limit: 50 } },
  })
  return (
    <Dialog kind="sheet" title={t.ledger} onClose={onClose}>
      <div className="-mx-4 -mt-4">
        <DataTable
          label={t.ledger}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noLedger}>{t.noLedgerWhy}</Empty>}
          columns={[
            { title: c.date, cell: ({ createdAt }) => <Time at={createdAt} absolute /> },
            {
              title: c.type,
              whole: ({ description }) => description ?? '',
              cell: ({ type, description }) => description ?? wordOf(t.ledgerTypes, type),
            },
            {
              title: c.amount,
              isNumber: true,
              cell: ({ amount, code }) => (
                <>
                  {amount > 0 && '+'}
                  <Count value={amount} /> {code}
                </>
              ),
            },
            { title: t.balance, isNumber: true, cell: ({ balance }) => <Count value={balance} /> },
          ]}
        />
      </div>
    </Dialog>
  )
}
