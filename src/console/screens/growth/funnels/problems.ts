import { type KnownFiles, NO_FILES } from '../../../../core/funnel/files'
import { readPages } from '../../../../core/funnel/pages'
import { publishFaults } from '../../../../core/funnel/publish'
import { Reading } from '../../../../core/funnel/reading'
import { readSettings } from '../../../../core/funnel/settings'
import { readTheme } from '../../../../core/funnel/theme'
import { pagesOf, textsOf } from '../../../../core/funnel/walk'
import { publishWarnings } from '../../../../core/funnel/warnings'
import type { Fault } from '../../../../core/text/fault'
import { type FunnelState, toContent } from './model'

/** Something that is wrong in the draft, with where it can be changed. */
export interface Problem extends Fault {
  /** The page by its id. */
  page: string | null
  block: string | null
  /** The view that shows it, when it is on no page. */
  tab: 'look' | 'settings' | null
}

/** The texts that a language lacks, as one warning. */
export interface Lack {
  locale: string
  count: number
}

export interface Problems {
  faults: Problem[]
  /** Without those about languages. */
  warnings: Problem[]
  lacks: Lack[]
}

/**
 * What publishing would refuse or warn about, by the rules of the server; it needs no call. While the files of the project
 * are not read yet (null), none of them counts as missing.
 */
export function problemsOf(state: FunnelState, hasTerms: boolean, files: KnownFiles | null): Problems {
  const reading = new Reading()
  readTheme(reading, state.theme, 'theme')
  readSettings(reading, state.settings, 'settings')
  const shape = [...readPages(state.pages).faults, ...reading.faults]
  const content = toContent(state)
  const known = files ?? NO_FILES
  const found = publishFaults(content, true, known).filter(({ code }) => files !== null || code !== 'asset_missing')
  const faults = shape.length > 0 ? shape : found
  const lacks = lacksOf(state)
  const isLack = ({ message }: Fault) => message.includes(' has no text in ')
  return {
    faults: faults.map((fault) => placed(state, fault)),
    warnings: publishWarnings(content, hasTerms, known)
      .filter((warning) => !isLack(warning))
      .map((fault) => placed(state, fault)),
    lacks,
  }
}

const lacksOf = (state: FunnelState): Lack[] =>
  state.locales
    .filter((locale) => locale !== state.defaultLocale)
    .map((locale) => ({ locale, count: missingIn(state, locale) }))
    .filter(({ count }) => count > 0)

/** How many texts have nothing in a language. */
export const missingIn = (state: FunnelState, locale: string): number =>
  pagesOf(state)
    .flatMap(textsOf)
    .filter(([text]) => Object.keys(text).length > 0 && !Object.hasOwn(text, locale)).length

/** A fault with where it is; its sentence without the place, which is shown beside it. */
export function placed(state: Pick<FunnelState, 'pages'>, { path, message }: Fault): Problem {
  const [, number] = /^pages\[(\d+)\]/.exec(path) ?? []
  const page = number === undefined ? undefined : state.pages[Number(number)]
  const tab = path.startsWith('theme') ? 'look' : page ? null : 'settings'
  const own = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
  return { path, message: own, page: page?.id ?? null, block: page ? blockAt(page.blocks, path) : null, tab }
}

/** The innermost block of a place like `pages[0].blocks[1].props.children[0].props.text`. */
function blockAt(blocks: FunnelState['pages'][number]['blocks'], path: string): string | null {
  const steps = [...path.matchAll(/\.(?:blocks|children)\[(\d+)\]/g)].map(([, index]) => Number(index))
  let [level, found] = [blocks ?? [], null as string | null]
  for (const index of steps) {
    const block = level[index]
    if (!block) return found
    found = block.id
    level = block.type === 'stack' || block.type === 'card' ? block.props.children : []
  }
  return found
}
