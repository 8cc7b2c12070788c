import { type Fault, faultAt } from '../text/fault'
import type { FunnelBlock, FunnelContent, FunnelPage, LocalText } from './model'
import { actionOf } from './step'
import { partsOf, type Variable } from './variables'
import { blocksOf, type Placed, pagesOf, textsOf } from './walk'

/** Faults of blocks and texts that only the whole document shows (funnels 1): ways, fields and variables that do not exist. */
export function blockFaults(content: FunnelContent): Fault[] {
  const names = namesIn(content)
  return pagesOf(content).flatMap((page) => [
    ...blocksOf(...page).flatMap((block) => [...actionFaults(page[0], block), ...placeFaults(page[0], block)]),
    ...textsOf(page).flatMap((text) => variableFaults(names, text)),
  ])
}

/** `to` may only lead where the page itself leads, so that the graph of the pages shows every way. */
function actionFaults(page: FunnelPage, [block, path]: Placed<FunnelBlock>): Fault[] {
  const action = actionOf(block)
  if (action?.type !== 'to') return []
  const exits = [...page.next.rules.map(({ to }) => to), page.next.default]
  if (exits.includes(action.pageId)) return []
  const member = block.type === 'button' ? 'action' : 'then'
  return [
    faultAt(`${path}.props.${member}.pageId`, `must be a page that ${page.id} leads to; ${action.pageId} is none`),
  ]
}

function placeFaults(page: FunnelPage, [block, path]: Placed<FunnelBlock>): Fault[] {
  if (block.type === 'html' && page.type === 'payment')
    return [faultAt(`${path}.type`, 'must not be html on a payment page: it could imitate the card form')]
  if (block.type !== 'field') return []
  const { fieldId } = block.props
  const isThere = page.fields.some(({ id }) => id === fieldId) || (page.type === 'email' && fieldId === 'email')
  return isThere ? [] : [faultAt(`${path}.props.fieldId`, `must name a field of the page; ${fieldId} is none`)]
}

interface Names {
  answers: ReadonlySet<string>
  parameters: ReadonlySet<string>
}

function namesIn({ pages, settings }: FunnelContent): Names {
  const fields = pages.flatMap(({ fields, type }) => [
    ...fields.map(({ id }) => id),
    ...(type === 'email' ? ['email'] : []),
  ])
  return { answers: new Set([...fields, 'score']), parameters: new Set(settings.queryParameters) }
}

const variableFaults = (names: Names, [text, path]: Placed<LocalText>): Fault[] =>
  Object.entries(text).flatMap(([locale, written]) =>
    partsOf(written).flatMap((part) => {
      const message =
        typeof part === 'string' ? null : 'unknown' in part ? unknownSentence(part.unknown) : unnamed(names, part)
      return message === null ? [] : [faultAt(`${path}.${locale}`, message)]
    }),
  )

const unknownSentence = (written: string): string =>
  `inserts ${written}, which is neither {{answer.field}}, {{query.name}} nor {{price.package.total}}`

function unnamed({ answers, parameters }: Names, variable: Variable): string | null {
  if (variable.of === 'answer' && !answers.has(variable.name))
    return `inserts the answer ${variable.name}, and no field has that id`
  if (variable.of === 'query' && !parameters.has(variable.name))
    return `inserts the parameter ${variable.name}; name it in settings.queryParameters`
  return null
}
