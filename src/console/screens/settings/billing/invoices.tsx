import { useList, useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { DownloadButton, LinkButton } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { Dialog } from '../../../kit/dialog'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { State, type Tone } from '../../../kit/state'
import { type Column, DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { formatNumber } from '../../../lib/format'
import { datesOf, dateTag } from '../../../lib/intl'
import { useProject, useReading } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { formatDecimal, INVOICES, monthIn } from './billing-model'

type Invoice = Schemas['BillingInvoice']

const TONES: Readonly<Record<Invoice['status'], Tone>> = {
  ...{ draft: 'info', open: 'warn', paid: 'good', uncollectible: 'bad', void: 'mute' },
}

/** The invoices for the plan. Each opens to its lines and to what was used in its month. */
export function Invoices() {
  const t = useText('billing')
  const { path, base } = useProject()
  const reading = useReading()
  const list = useList(INVOICES, { params: { path } })
  const [opened, setOpened] = useParam('invoice')
  const columns: Column<Invoice>[] = [
    { title: t.invoiceNumber, cell: ({ number }) => number ?? t.invoiceDraft },
    { title: t.invoiceDate, cell: ({ createdAt }) => <Time at={createdAt} absolute day /> },
    { title: t.invoiceState, cell: ({ status }) => <State tone={TONES[status]}>{t.invoiceStatus[status]}</State> },
    {
      title: t.invoiceTotal,
      isNumber: true,
      cell: ({ total, currency }) => formatDecimal(reading, total, currency),
    },
  ]
  return (
    <Card title={t.invoices} flush>
      <DataTable
        label={t.invoices}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${base}/settings/billing?invoice=${id}`}
        empty={<Empty title={t.noInvoices}>{t.noInvoicesHint}</Empty>}
      />
      {opened !== '' && <InvoiceSheet id={opened} onClose={() => setOpened(null)} />}
    </Card>
  )
}

function InvoiceSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText('billing')
  const { path } = useProject()
  const found = useRead(`${INVOICES}/{id}`, { params: { path: { ...path, id } } }, { keep: false })
  const title = found.data ? t.invoiceTitle(found.data.number ?? t.invoiceDraft) : t.invoice
  return (
    <Dialog title={title} kind="sheet" onClose={onClose}>
      {found.data ? (
        <InvoiceBody invoice={found.data} />
      ) : found.error ? (
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Dialog>
  )
}

function InvoiceBody({ invoice }: { invoice: Schemas['BillingInvoiceDetails'] }) {
  const t = useText('billing')
  const { status, createdAt, lines, total, currency, pdfUrl } = invoice
  const reading = useReading()
  return (
    <>
      <Facts
        items={[
          [t.invoiceDate, <Time key="date" at={createdAt} absolute day />],
          [
            t.invoiceState,
            <State key="state" tone={TONES[status]}>
              {t.invoiceStatus[status]}
            </State>,
          ],
        ]}
      />
      <table className="w-full text-sm" aria-label={t.invoiceLines}>
        <thead>
          <tr className="border-b border-line text-left text-ink-2">
            <th className="py-2 pr-2 font-normal">{t.lineText}</th>
            <th className="px-2 py-2 text-right font-normal">{t.lineQuantity}</th>
            <th className="py-2 pl-2 text-right font-normal">{t.lineAmount}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line tabular-nums">
          {lines.map(({ text, quantity, amount }, index) => (
            <tr key={index}>
              <td className="py-2 pr-2 wrap-anywhere">{text}</td>
              <td className="px-2 py-2 text-right">{formatNumber(reading, quantity)}</td>
              <td className="py-2 pl-2 text-right">{formatDecimal(reading, amount, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line font-medium tabular-nums">
            <td className="py-2 pr-2" colSpan={2}>
              {t.invoiceTotal}
            </td>
            <td className="py-2 pl-2 text-right">{formatDecimal(reading, total, currency)}</td>
          </tr>
        </tfoot>
      </table>
      <UsedInMonth invoice={invoice} />
      {pdfUrl !== null && (
        <div>
          <DownloadButton href={pdfUrl}>{t.pdf}</DownloadButton>
        </div>
      )}
    </>
  )
}

/** What the project used in the month in which the period of the invoice started, with the days of that month. */
function UsedInMonth({ invoice: { usage, rowsUrl } }: { invoice: Schemas['BillingInvoiceDetails'] }) {
  const t = useText('billing')
  const u = useText('usage')
  const { base } = useProject()
  const reading = useReading()
  const month = monthIn(rowsUrl)
  const format = datesOf(dateTag(reading.locale), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const name = format.format(new Date(`${month}-01`))
  const meters: Readonly<Record<string, string>> = u.meterName
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{t.usedIn(name)}</h3>
      <Facts items={usage.map(({ meter, used }) => [meters[meter] ?? meter, formatNumber(reading, used)] as const)} />
      <div>
        <LinkButton href={`${base}/settings/usage?month=${month}`}>{t.daysOf(name)}</LinkButton>
      </div>
    </section>
  )
}
