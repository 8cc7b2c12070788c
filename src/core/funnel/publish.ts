import { type Fault, faultAt } from '../text/fault'
import { utf8Length } from '../text/utf8'
import { blockFaults } from './block-faults'
import type { AssetKind, KnownFiles } from './files'
import type { FunnelContent, FunnelPage } from './model'
import { assetsOf, fontsOf, pagesOf, textsOf } from './walk'

const MAX_DOCUMENT_BYTES = 512 * 1024

/** Why a funnel cannot be published. Each is 400 with its code. */
export interface PublishFault extends Fault {
  code: 'VALIDATION_ERROR' | 'asset_missing' | 'PAYMENT_NOT_CONNECTED'
}

/** Every reason why valid content cannot be published (wire 5.14); when there is none, it can be. */
export function publishFaults(content: FunnelContent, hasPaymentAccount: boolean, files: KnownFiles): PublishFault[] {
  const { pages } = content
  const faults = [
    ...sizeFaults(content),
    ...leadingNowhere(pages),
    ...endlessLoops(pages),
    ...missingTexts(content),
    ...blockFaults(content),
    ...kindFaults(content, files),
  ]
  return [
    ...faults.map((found) => ({ ...found, code: 'VALIDATION_ERROR' as const })),
    ...missingFiles(content, files).map((found) => ({ ...found, code: 'asset_missing' as const })),
    ...(hasPaymentAccount ? [] : paymentFaults(pages)).map((found) => ({
      ...found,
      code: 'PAYMENT_NOT_CONNECTED' as const,
    })),
  ]
}

/** The files and font families that the content names and the project does not have. */
export const missingFiles = (content: FunnelContent, { assets, fonts }: KnownFiles): Fault[] => [
  ...assetsOf(content).flatMap(([{ asset }, path]) =>
    assets.has(asset) ? [] : [faultAt(path, `must name a file of the project; ${asset} is none`)],
  ),
  ...fontsOf(content).flatMap(([family, path]) =>
    fonts.has(family) ? [] : [faultAt(path, `must name a font family of the project; ${family} is none`)],
  ),
]

const KIND_NAMES: Readonly<Record<AssetKind, string>> = {
  image: 'a picture',
  video: 'a video',
  lottie: 'a Lottie animation',
}

const kindFaults = (content: FunnelContent, { assets }: KnownFiles): Fault[] =>
  assetsOf(content).flatMap(([{ asset, kind }, path]) => {
    const found = assets.get(asset)
    if (found === undefined || found.kind === kind) return []
    return [faultAt(path, `must name ${KIND_NAMES[kind]}; ${asset} is ${KIND_NAMES[found.kind]}`)]
  })

const paymentFaults = (pages: readonly FunnelPage[]): Fault[] =>
  pages.flatMap(({ type }, index) =>
    type === 'payment'
      ? [faultAt(`pages[${index}].type`, 'is payment, and no payment account is connected to this project')]
      : [],
  )

function sizeFaults(content: FunnelContent): Fault[] {
  if (content.pages.length === 0) return [faultAt('pages', 'must have a page to be published')]
  const bytes = utf8Length(JSON.stringify(content))
  if (bytes <= MAX_DOCUMENT_BYTES) return []
  return [faultAt('pages', `must not make the document larger than 512 KiB, and it has ${Math.ceil(bytes / 1024)}`)]
}

/** Every reference of a page to another page. */
export const exitsOf = ({ next }: FunnelPage, page: number): [to: string, path: string][] => [
  ...next.rules.map(({ to }, index): [string, string] => [to, `pages[${page}].next.rules[${index}].to`]),
  ...(next.default === null ? [] : [[next.default, `pages[${page}].next.default`] as [string, string]]),
]

function leadingNowhere(pages: readonly FunnelPage[]): Fault[] {
  const ids = new Set(pages.map(({ id }) => id))
  return pages
    .flatMap(exitsOf)
    .filter(([to]) => !ids.has(to))
    .map(([to, path]) => faultAt(path, `must name a page; there is no page ${to}`))
}

/** A loop that passes a page with an input is allowed: it does not continue by itself. */
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
      if (here.has(to)) faults.push(faultAt(path, `must not lead back to ${to}: no page on that way asks anything`))
      else walk(to, here)
    done.add(id)
  }
  for (const { id } of pages) walk(id, new Set())
  return faults
}

function missingTexts(content: FunnelContent): Fault[] {
  const { defaultLocale, locales } = content
  const unspoken = locales.includes(defaultLocale)
    ? []
    : [faultAt('locales', `must have the default, ${defaultLocale}`)]
  // A page such as a loader may have no text at all.
  const missing = pagesOf(content)
    .flatMap(textsOf)
    .filter(([text]) => Object.keys(text).length > 0 && !Object.hasOwn(text, defaultLocale))
  return [...unspoken, ...missing.map(([, path]) => faultAt(path, `must have a text in the default, ${defaultLocale}`))]
}
