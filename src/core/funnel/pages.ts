import type { Fault } from '../text/fault'
import { childrenOf, readBlocks } from './blocks'
import { readConditions } from './conditions'
import { readField, SCORE } from './fields'
import { readLocalText } from './local-text'
import { type FunnelBlock, type FunnelPage, type FunnelRule, PAGE_TYPES } from './model'
import { Reading } from './reading'

export const MAX_PAGES = 100
const MAX_FIELDS = 50
const MAX_RULES = 50

/**
 * Pages in the form in which they are saved, with defaults for members that were left out, and everything that is wrong
 * with those given (wire 5.14); when nothing is, they may be saved. Whether they can be published is decided by
 * `publishFaults`.
 */
export function readPages(given: unknown): { pages: FunnelPage[]; faults: Fault[] } {
  const reading = new Reading()
  const items = reading.list(given, 'pages', MAX_PAGES)
  const pages = items.map(([item, path]) => readPage(reading, item, path))
  const fields = pages.flatMap((page, index) =>
    page.fields.map(({ id }, at): [string, string] => [id, `pages[${index}].fields[${at}].id`]),
  )
  reading.unique(
    pages.map(({ id }, index) => [id, `pages[${index}].id`]),
    'page',
  )
  reading.unique(fields, 'field')
  refuseUnknownFields(reading, pages, new Set(fields.map(([id]) => id)))
  return { pages, faults: reading.faults }
}

const MEMBERS = ['id', 'type', 'title', 'fields', 'blocks', 'next']

function readPage(reading: Reading, given: unknown, path: string): FunnelPage {
  const { id, type, title, fields, blocks, next } = reading.object(given, path, MEMBERS)
  return {
    id: reading.id(id, `${path}.id`),
    type: reading.oneOf(type, `${path}.type`, PAGE_TYPES),
    title: readLocalText(reading, title ?? {}, `${path}.title`),
    fields: reading.list(fields, `${path}.fields`, MAX_FIELDS).map(([field, at]) => readField(reading, field, at)),
    ...(blocks != null && { blocks: readBlocks(reading, blocks, `${path}.blocks`) }),
    next: readNext(reading, next ?? {}, `${path}.next`),
  }
}

function readNext(reading: Reading, given: unknown, path: string): FunnelPage['next'] {
  const next = reading.object(given, path, ['rules', 'default'])
  const rules = reading.list(next.rules, `${path}.rules`, MAX_RULES).map(([rule, at]) => readRule(reading, rule, at))
  return { rules, default: next.default == null ? null : reading.id(next.default, `${path}.default`) }
}

function readRule(reading: Reading, given: unknown, path: string): FunnelRule {
  const { match, when, to } = reading.object(given, path, ['match', 'when', 'to'])
  return {
    match: reading.oneOf(match, `${path}.match`, ['all', 'any']),
    when: readConditions(reading, when, `${path}.when`),
    to: reading.id(to, `${path}.to`),
  }
}

/** A condition on a field that no page has would never be true. */
function refuseUnknownFields(reading: Reading, pages: readonly FunnelPage[], fields: ReadonlySet<string>): void {
  const known = new Set([...fields, SCORE, ...impliedFields(pages)])
  for (const [field, path] of pages.flatMap(conditionFields))
    if (field !== '' && !known.has(field)) reading.refuse(path, `must name a field; ${field} is none`)
}

/** A page of type `email` has the field `email` even if its document lists none. */
const impliedFields = (pages: readonly FunnelPage[]): string[] =>
  pages.some(({ type }) => type === 'email') ? ['email'] : []

type Named = [field: string, path: string]

const conditionFields = ({ next, blocks = [] }: FunnelPage, page: number): Named[] => [
  ...next.rules.flatMap(({ when }, rule) => namedIn(when, `pages[${page}].next.rules[${rule}].when`)),
  ...blocks.flatMap((block, index) => blockFields(block, `pages[${page}].blocks[${index}]`)),
]

const namedIn = (when: readonly { field: string }[], path: string): Named[] =>
  when.map(({ field }, index) => [field, `${path}[${index}].field`])

const blockFields = (block: FunnelBlock, path: string): Named[] => [
  ...namedIn(block.visibleWhen?.when ?? [], `${path}.visibleWhen.when`),
  ...childrenOf(block).flatMap((child, index) => blockFields(child, `${path}.props.children[${index}]`)),
]
