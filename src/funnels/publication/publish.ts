import { canonicalJson } from '../../base/lib/hash'
import type { Fault } from '../../base/lib/matches'
import type { FunnelContent, FunnelPage, LocalText } from './model'

const MAX_DOCUMENT_BYTES = 512 * 1024

/** Why a funnel cannot be published. `isPayment`: 400 `PAYMENT_NOT_CONNECTED`, else 400 `VALIDATION_ERROR`. */
export interface PublishFault extends Fault {
  isPayment: boolean
}

/** Every reason why valid content cannot be published (wire 5.14); when there is none, it can be. */
export function publishFaults(content: FunnelContent, hasPaymentAccount: boolean): PublishFault[] {
  const { pages } = content
  const faults = [...sizeFaults(content), ...leadingNowhere(pages), ...endlessLoops(pages), ...missingTexts(content)]
  const unpaid = hasPaymentAccount ? [] : pages.flatMap(({ type }, index) => (type === 'payment' ? [index] : []))
  return [
    ...faults.map((found) => ({ ...found, isPayment: false })),
    ...unpaid.map((index) => ({
      ...fault(`pages[${index}].type`, 'is payment, and no payment account is connected to this project'),
      isPayment: true,
    })),
  ]
}

const fault = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` })

function sizeFaults(content: FunnelContent): Fault[] {
  if (content.pages.length === 0) return [fault('pages', 'must have a page to be published')]
  const bytes = Buffer.byteLength(canonicalJson(content))
  if (bytes <= MAX_DOCUMENT_BYTES) return []
  return [fault('pages', `must not make the document larger than 512 KiB, and it has ${Math.ceil(bytes / 1024)}`)]
}

/** Every reference of a page to another page. */
const exitsOf = ({ next }: FunnelPage, page: number): [to: string, path: string][] => [
  ...next.rules.map(({ to }, index): [string, string] => [to, `pages[${page}].next.rules[${index}].to`]),
  ...(next.default === null ? [] : [[next.default, `pages[${page}].next.default`] as [string, string]]),
]

function leadingNowhere(pages: readonly FunnelPage[]): Fault[] {
  const ids = new Set(pages.map(({ id }) => id))
  return pages
    .flatMap(exitsOf)
    .filter(([to]) => !ids.has(to))
    .map(([to, path]) => fault(path, `must name a page; there is no page ${to}`))
}

/** A loop that passes a page with an input is allowed: it does not go on by itself. */
const asksSomething = ({ type, fields }: FunnelPage): boolean => type === 'email' || fields.length > 0

/** Every loop without an input is reported, at the reference that closes it. */
function endlessLoops(pages: readonly FunnelPage[]): Fault[] {
  const exits = new Map(pages.map((page, index) => [page.id, asksSomething(page) ? [] : exitsOf(page, index)]))
  const faults: Fault[] = []
  const done = new Set<string>()
  const walk = (id: string, trail: ReadonlySet<string>): void => {
    if (done.has(id)) return
    const here = new Set([...trail, id])
    for (const [to, path] of exits.get(id) ?? [])
      if (here.has(to)) faults.push(fault(path, `must not lead back to ${to}: no page on that way asks anything`))
      else walk(to, here)
    done.add(id)
  }
  for (const { id } of pages) walk(id, new Set())
  return faults
}

function missingTexts({ pages, defaultLocale, locales }: FunnelContent): Fault[] {
  const texts = pages.flatMap(({ title, fields }, page): [LocalText, string][] => [
    [title, `pages[${page}].title`],
    ...fields.flatMap(({ options }, field) =>
      options.map(({ label }, index): [LocalText, string] => [
        label,
        `pages[${page}].fields[${field}].options[${index}].label`,
      ]),
    ),
  ])
  const unspoken = locales.includes(defaultLocale) ? [] : [fault('locales', `must have the default, ${defaultLocale}`)]
  // A page such as a loader may have no text at all.
  const missing = texts.filter(([text]) => Object.keys(text).length > 0 && !Object.hasOwn(text, defaultLocale))
  return [...unspoken, ...missing.map(([, path]) => fault(path, `must have a text in the default, ${defaultLocale}`))]
}

/** Whether two contents are the same, so that publishing the second after the first changes nothing. */
export const isSameContent = (a: FunnelContent, b: FunnelContent): boolean =>
  canonicalJson(withoutFormat(a)) === canonicalJson(withoutFormat(b))

const withoutFormat = ({ pages, theme, settings, defaultLocale, locales }: FunnelContent): FunnelContent => ({
  pages,
  theme,
  settings,
  defaultLocale,
  locales,
})
