import { OFFERINGS } from '../../../projects/catalog/project-file/offerings/model'
import { label, metadata, reference } from '../../../projects/project-file/fields'
import type { Wanted } from '../../../projects/project-file/model'
import { objects } from '../../../projects/project-file/objects'
import { sentenceOf, stepsOf } from '../../../projects/project-file/problem'
import {
  bool,
  checkedText,
  list,
  type Members,
  object,
  type Read,
  type Spot,
  text,
  toJson,
} from '../../../projects/project-file/reader'
import type { Sources } from '../../../projects/project-file/secret'
import { locate, readTree } from '../../../projects/project-file/tree'
import { isLocale } from '../locale'
import type { FunnelPage } from '../model'
import { readPages } from '../pages'
import type { WantedFunnel } from './model'
import { PAGES_SCHEMA } from './pages-schema'

const MAX_LOCALES = 100

const locale: Read<string> = checkedText(35, (given) =>
  isLocale(given) ? null : 'This must be a language tag (BCP 47) such as en or tr-TR',
)

const settings: Read<WantedFunnel['settings']> = object((members) => ({
  offering: members.optional<string | null>('offering', reference(OFFERINGS), null),
}))

const inlinePages: Read<FunnelPage[]> = (spot) => {
  if (spot.draws(() => PAGES_SCHEMA)) return undefined
  const { pages, faults } = readPages(toJson(spot.node))
  for (const fault of faults) spot.failAt(stepsOf(fault.path).slice(1), sentenceOf(fault))
  return pages
}

/** Reads pages from a separate JSON file. Its lines are not lines of the project file. */
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

export const parseFunnels = (spot: Spot, sources: Sources): Wanted<WantedFunnel>[] | undefined =>
  objects(funnel(sources))(spot)
