import { Card } from '../../../kit/card'
import { PlainTable } from '../../../kit/table'
import { Count, Money } from '../../../kit/values'
import { useText } from '../../../text/catalogue'
import { Figure } from './counters'
import type { Job } from './model'

type Told = NonNullable<Job['forecast']>

/** What the rows would do if they were written now, as the dry run has found out. */
export function Forecast({ told }: { told: Told }) {
  const t = useText('moving')
  const { people, purchases, toldByStore, isPartial, money, access } = told
  return (
    <Card title={t.forecast} flush footer={isPartial ? t.forecastPartial : t.forecastHint}>
      <dl className="grid grid-cols-2 overflow-hidden sm:grid-cols-4">
        <Figure name={t.peopleAll} value={people.all} />
        <Figure name={t.peopleNew} value={people.new} />
        <Figure name={t.purchasesNew} value={purchases.new} />
        <Figure name={t.purchasesUpdated} value={purchases.changed} />
        <Figure name={t.purchasesUnchanged} value={purchases.unchanged} />
        <Figure name={t.withoutProduct} value={purchases.withoutProduct} isBad={purchases.withoutProduct > 0} />
        <Figure name={t.toldByStore} value={toldByStore} />
      </dl>
      {money.length > 0 && <MoneyTable money={money} />}
      {access.length > 0 && <AccessTable access={access} />}
    </Card>
  )
}

function MoneyTable({ money }: Pick<Told, 'money'>) {
  const t = useText('moving')
  return (
    <PlainTable
      keepsColumns
      label={t.moneyOfForecast}
      rows={money}
      keyOf={({ currency }) => currency}
      columns={[
        { title: t.moneyOfForecast, cell: ({ currency }) => <span className="font-mono text-xs">{currency}</span> },
        { title: t.charges, cell: ({ charged }) => <Count value={charged.count} />, isNumber: true },
        {
          title: t.charged,
          cell: ({ charged, currency }) => <Money micros={charged.amountMicros} currency={currency} />,
          isNumber: true,
        },
        {
          title: t.refunded,
          cell: ({ refunded, currency }) => <Money micros={refunded.amountMicros} currency={currency} />,
          isNumber: true,
        },
      ]}
    />
  )
}

function AccessTable({ access }: Pick<Told, 'access'>) {
  const t = useText('moving')
  return (
    <PlainTable
      keepsColumns
      label={t.accessOfForecast}
      rows={access}
      keyOf={({ identifier }) => identifier}
      columns={[
        {
          title: t.accessOfForecast,
          cell: ({ identifier }) => <span className="font-mono text-xs">{identifier}</span>,
        },
        { title: t.peopleAll, cell: ({ people }) => <Count value={people} />, isNumber: true },
      ]}
    />
  )
}
