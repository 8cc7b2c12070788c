import type { Fault } from '../../base/lib/matches'
import { isLocale } from '../../funnels/publication/locale'
import type { FunnelPage } from '../../funnels/publication/model'
import { readPages } from '../../funnels/publication/pages'
import { label, metadata, reference } from './fields'
import type { Wanted, WantedFunnel } from './model'
import { stepsOf } from './problem'
import { bool, checkedText, list, type Members, object, type Read, type Spot, text, toJson } from './reader'
import type { Sources } from './secret'
import { section } from './section'
import { locate, readTree } from './tree'

const MAX_LOCALES = 100

const locale: Read<string> = checkedText(35, (given) =>
  isLocale(given) ? null : 'This must be a language tag (BCP 47) such as en or tr-TR',
)

const settings: Read<WantedFunnel['settings']> = object((members) => ({
  offering: members.optional<string | null>('offering', reference('offering'), null),
}))

const inlinePages: Read<FunnelPage[]> = (spot) => {
  const { pages, faults } = readPages(toJson(spot.node))
  for (const fault of faults) spot.failAt(stepsOf(fault.path).slice(1), troubleOf(fault))
  return pages
}

/** The sentence of a fault, whose path stands beside it already. */
const troubleOf = ({ path, message }: Fault): string => `This ${message.slice(path.length + 1)}`

/** Pages in a JSON file of their own, which has its own lines. */
const pagesOfFile =
  (sources: Sources): Read<FunnelPage[]> =>
  (spot) => {
    const path = text(1024)(spot)
    if (path === undefined) return undefined
    const content = sources.file(path)
    if (content === null) return spot.fail(`${path} cannot be read`)
    const tree = readTree(content)
    if ('problems' in tree) {
      for (const { line, column, message } of tree.problems) spot.fail(`${path}:${line}:${column} ${message}`)
      return undefined
    }
    const { pages, faults } = readPages(toJson(tree.root))
    for (const fault of faults) {
      const { line, column } = locate(tree.root, stepsOf(fault.path).slice(1))
      spot.fail(`${path}:${line}:${column} ${fault.message}`)
    }
    return pages
  }

const funnel =
  (sources: Sources) =>
  (members: Members, spot: Spot): WantedFunnel => {
    const defaultLocale = members.required('defaultLocale', locale, 'en')
    const inline = members.optional<FunnelPage[] | null>('pages', inlinePages, null)
    const ofFile = members.optional<FunnelPage[] | null>('pagesFile', pagesOfFile(sources), null)
    if (inline && ofFile) spot.fail('pages and pagesFile exclude each other')
    return {
      name: members.required('name', label, ''),
      defaultLocale,
      locales: [...new Set(members.optional('locales', list(locale, MAX_LOCALES), [defaultLocale]))],
      publish: members.optional('publish', bool, false),
      theme: members.optional('theme', metadata, {}),
      settings: members.optional<WantedFunnel['settings']>('settings', settings, { offering: null }),
      pages: inline ?? ofFile ?? [],
    }
  }

export const funnelSection = (sources: Sources): Read<Wanted<WantedFunnel>[]> => section(funnel(sources))
