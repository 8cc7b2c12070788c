import { grouped } from '../../../base/cli/progress'
import { table } from '../../../base/cli/table'
import { twoDecimals } from '../../../core/money/money'
import type { ImportProducts } from '../products/create'
import type { ImportView } from '../views'

const MAX_LINES = 10

/** Whether the import is not as complete as the file. */
export const hasDifferences = ({ status, counters }: ImportView): boolean =>
  counters.invalid > 0 || counters.warnings > 0 || status === 'VERIFICATION_INCOMPLETE'

/** The result of an import: its counts, its faults, and the next step. */
export const summaryOf = (view: ImportView): string =>
  [headOf(view), ...writtenOf(view), ...forecastOf(view), ...faultsOf(view), ...unknownOf(view), ...nextOf(view)].join(
    '\n',
  )

function headOf({ id, fileName, counters: { rows, valid, invalid, skipped, warnings } }: ImportView): string {
  const warned = warnings > 0 ? ` About ${grouped(warnings)} there is a warning.` : ''
  const left = skipped > 0 ? ` (${grouped(skipped)} of them are left out, as they are of the sandbox or of nobody)` : ''
  return `${fileName} (${id}): ${counted(rows, 'row')}, ${grouped(valid)} can be read${left}, ${grouped(invalid)} cannot.${warned}`
}

function writtenOf({ counters, unverifiableFor }: ImportView): string[] {
  const { subscribersNew, purchasesNew, purchasesUpdated, verified, unverifiable, remaining } = counters
  if (subscribersNew + purchasesNew + purchasesUpdated + verified + unverifiable + remaining === 0) return []
  const made = `${grouped(subscribersNew)} new people, ${grouped(purchasesNew)} new purchases`
  const stores = `verified at the stores: ${grouped(verified)}, not verifiable: ${grouped(unverifiable)}`
  return [
    `  ${made}, ${grouped(purchasesUpdated)} updated; ${stores}, left: ${grouped(remaining)}`,
    ...(unverifiableFor ?? []).map(({ reason, count }) => `    not verifiable: ${grouped(count)}, because ${reason}`),
  ]
}

function forecastOf({ status, forecast }: ImportView): string[] {
  if (status !== 'DRY_RUN_COMPLETE' || !forecast) return []
  const { people, purchases, toldByStore, money, access, isPartial } = forecast
  const { unchanged, withoutProduct } = purchases
  const changes = `${grouped(purchases.new)} new purchases, ${grouped(purchases.changed)} changed, ${grouped(unchanged)} known already`
  const lines = [
    `Would write${isPartial ? ' at least' : ''}: ${grouped(people.new)} new people of ${grouped(people.all)}; ${changes}`,
    ...(withoutProduct > 0 ? [`Purchases without a product: ${grouped(withoutProduct)}`] : []),
    ...(toldByStore > 0 ? [`Rows of which only the store can tell what was bought: ${grouped(toldByStore)}`] : []),
    ...money.map(moneyOf),
    ...access.map((one) => `Access ${one.identifier}: given to ${counted(one.people, 'person', 'people')}`),
  ]
  return lines.map((line) => `  ${line}`)
}

const moneyOf = ({ currency, charged, refunded }: NonNullable<ImportView['forecast']>['money'][number]): string => {
  const back =
    refunded.count > 0 ? `, ${amountOf(refunded)} ${currency} back in ${counted(refunded.count, 'refund')}` : ''
  return `Money: ${amountOf(charged)} ${currency} in ${counted(charged.count, 'charge')}${back}`
}

const amountOf = ({ amountMicros }: { amountMicros: number }): string => twoDecimals(amountMicros)

function faultsOf({ id, errors, counters }: ImportView): string[] {
  const all = counters.invalid + counters.warnings
  if (all === 0) return []
  const shown = errors
    .slice(0, MAX_LINES)
    .map(({ line, column, message }) => `  line ${line}${column === null ? '' : `, ${column}`}: ${message}`)
  return [...shown, ...(all > shown.length ? [`  all of them: svc import report ${id}`] : [])]
}

function unknownOf({ id, unknownProducts, forecast }: ImportView): string[] {
  if (unknownProducts.length === 0) return []
  const shown = unknownProducts
    // One more line costs no more than saying that there is one more.
    .slice(0, unknownProducts.length === MAX_LINES + 1 ? MAX_LINES + 1 : MAX_LINES)
    .map(({ store, identifier, rows }) => `  ${identifier} (${store.toLowerCase()}): ${counted(rows, 'row')}`)
  const more = unknownProducts.length > shown.length ? [`  and ${unknownProducts.length - shown.length} more`] : []
  const next = forecast
    ? [`  to create them: svc import products ${id}, or with --catalog as a file for svc apply`]
    : []
  return ['Products that the catalogue does not have:', ...shown, ...more, ...next]
}

function nextOf(view: ImportView): string[] {
  const { id, status, failure, undoneAt } = view
  if (undoneAt !== null) return [undoneOf(view)]
  if (status === 'VERIFICATION_INCOMPLETE')
    return [`Not every purchase is verified yet${failure ? ` (${failure})` : ''}. To go on: svc import resume ${id}`]
  return []
}

/** The products that were created from an import, or would be. */
export const productsOf = ({ isDryRun, access, products, skipped, waitingPurchases }: ImportProducts): string =>
  [
    `${counted(products.length, 'product')} ${isDryRun ? 'would be' : products.length === 1 ? 'is' : 'are'} created.`,
    ...products.map(({ identifier, type, period, access: given }) =>
      [`  ${identifier}: ${type}`, period ?? '', given.length > 0 ? `gives ${given.join(', ')}` : '']
        .filter(Boolean)
        .join(' '),
    ),
    ...(access.length > 0 ? [`New access: ${access.map(({ identifier }) => identifier).join(', ')}`] : []),
    ...skipped.map(({ identifier, reason }) => `  ${identifier} is left out: ${SKIPPED[reason]}`),
    ...(waitingPurchases > 0
      ? [
          `${grouped(waitingPurchases)} earlier purchases get their product; a running server links them within seconds.`,
        ]
      : []),
  ].join('\n')

const SKIPPED = {
  EXISTS: 'the catalogue has it',
  NOT_NAMEABLE: 'its name can be no identifier',
  NO_PERIOD: 'the file does not tell its period: make it by hand',
  PRICE_NOT_FOUND: 'the payment provider has no such price',
}

/** What a person is asked before an import is taken back. */
export const undoQuestion = ({ fileName, counters }: ImportView): string =>
  `Take back ${fileName}, with ${counted(counters.purchasesNew, 'purchase')} and ${counted(counters.subscribersNew, 'person', 'people')} that it has brought?`

/** `1 row`, `2 rows`. */
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** What became of taking an import back. */
export function undoneOf({ id, undone, undoneAt, failure }: ImportView): string {
  if (undoneAt === null) return `${id} is not taken back as a whole${failure === null ? '' : `: ${failure}`}.`
  const { purchasesRemoved = 0, purchasesChanged = 0, subscribersRemoved = 0 } = undone ?? {}
  const gone = `${counted(purchasesRemoved, 'purchase')} and ${counted(subscribersRemoved, 'person', 'people')} removed`
  return `${id} is taken back: ${gone}, ${counted(purchasesChanged, 'purchase')} kept, without what it had added.`
}

export const listOf = (views: readonly ImportView[]): string =>
  table([['id', 'file', 'state', 'rows', 'invalid', 'new', 'started'], ...views.map(lineOf)])

const lineOf = ({ id, fileName, status, counters, createdAt }: ImportView): string[] => [
  ...[id, fileName, status, grouped(counters.rows), grouped(counters.invalid), grouped(counters.purchasesNew)],
  createdAt,
]
