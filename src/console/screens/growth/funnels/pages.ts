import type {
  FieldKind,
  FunnelBlock,
  FunnelCondition,
  FunnelField,
  FunnelPage,
  LocalText,
  PageType,
} from '../../../../core/funnel/model'
import { actionOf } from '../../../../core/funnel/step'
import { fieldsOf } from '../../../../core/funnel/way'
import { freshId, placesOf, replaceBlock } from './blocks'
import type { FunnelState } from './model'

/** Replaces one page. */
export const withPage = (state: FunnelState, id: string, change: (page: FunnelPage) => FunnelPage): FunnelState => ({
  ...state,
  pages: state.pages.map((page) => (page.id === id ? change(page) : page)),
})

export const pageIn = ({ pages }: Pick<FunnelState, 'pages'>, id: string): FunnelPage | null =>
  pages.find((page) => page.id === id) ?? null

/** A text in one language; an empty one takes the language away. */
export function withText(text: LocalText, locale: string, written: string): LocalText {
  const { [locale]: _before, ...others } = text
  return written === '' ? others : { ...others, [locale]: written }
}

/** A new page after another one, on its way: that page leads to it, and it leads to where that page led. */
export function addPage(state: FunnelState, type: PageType, after: string | null): { state: FunnelState; id: string } {
  const id = freshId(type, new Set(state.pages.map((page) => page.id)))
  const before = after === null ? state.pages.at(-1) : pageIn(state, after)
  const next = { rules: [], default: before?.next.default ?? null }
  const page: FunnelPage = { id, type, title: {}, fields: [], next }
  const pages = state.pages.flatMap((one) =>
    one === before ? [{ ...one, next: { ...one.next, default: id } }, page] : [one],
  )
  return { state: { ...state, pages: before ? pages : [page] }, id }
}

/** The pages that lead to a page, by a rule, by default or by a button. */
export const pagesLeadingTo = ({ pages }: Pick<FunnelState, 'pages'>, id: string): FunnelPage[] =>
  pages.filter((page) => page.id !== id && leadsTo(page, id))

const leadsTo = ({ next, blocks = [] }: FunnelPage, id: string): boolean =>
  next.default === id ||
  next.rules.some(({ to }) => to === id) ||
  placesOf(blocks).some(({ block }) => isWayTo(block, id))

const isWayTo = (block: FunnelBlock, id: string): boolean => {
  const action = actionOf(block)
  return action?.type === 'to' && action.pageId === id
}

/** Without a page. What led to it leads to where it led; rules that ask for its fields are dropped. */
export function removePage(state: FunnelState, id: string): FunnelState {
  const gone = pageIn(state, id)
  if (!gone) return state
  const target = gone.next.default === id ? null : gone.next.default
  const fields = new Set(gone.fields.map((field) => field.id))
  const isGone = ({ field }: FunnelCondition) => fields.has(field)
  const pages = state.pages
    .filter((page) => page.id !== id)
    .map((page) => {
      const rules = page.next.rules
        .filter(({ when }) => !when.some(isGone))
        .flatMap((rule) => (rule.to !== id ? [rule] : target === null ? [] : [{ ...rule, to: target }]))
      const next = { rules, default: page.next.default === id ? target : page.next.default }
      return { ...page, ...(page.blocks && { blocks: page.blocks.map((one) => cleaned(one, id, isGone)) }), next }
    })
  return { ...state, pages }
}

/** A block that neither leads to the page nor asks for its fields. */
function cleaned(block: FunnelBlock, page: string, isGone: (condition: FunnelCondition) => boolean): FunnelBlock {
  const asks = block.visibleWhen?.when.some(isGone) === true
  const { visibleWhen: _when, ...always } = block
  const kept = (asks ? always : block) as FunnelBlock
  if (kept.type === 'button' && isWayTo(kept, page))
    return { ...kept, props: { ...kept.props, action: { type: 'next' } } }
  // biome-ignore lint/suspicious/noThenProperty: it is the name in the document, and the object is never awaited
  if (kept.type === 'timer' && isWayTo(kept, page)) return { ...kept, props: { ...kept.props, then: { type: 'next' } } }
  if (kept.type === 'stack')
    return { ...kept, props: { ...kept.props, children: kept.props.children.map((one) => cleaned(one, page, isGone)) } }
  if (kept.type === 'card')
    return { ...kept, props: { children: kept.props.children.map((one) => cleaned(one, page, isGone)) } }
  return kept
}

/** Puts a page at another place of the list. The first page is where visitors start. */
export function movePage(state: FunnelState, id: string, step: number): FunnelState {
  const from = state.pages.findIndex((page) => page.id === id)
  const to = from + step
  const page = state.pages[from]
  if (!page || to < 0 || to >= state.pages.length) return state
  const pages = state.pages.filter((one) => one !== page)
  pages.splice(to, 0, page)
  return { ...state, pages }
}

/** The blocks of a page that has none yet: they show what it has shown by itself. */
export function ownBlocks(page: FunnelPage): FunnelBlock[] {
  const fields = fieldsOf(page).map(
    ({ id }): FunnelBlock => ({ id: `field_${id}`.slice(0, 64), type: 'field', props: { fieldId: id } }),
  )
  const hasTitle = Object.keys(page.title).length > 0
  return [
    ...(hasTitle ? [{ id: 'title', type: 'heading', props: { text: page.title, level: 1 } } as const] : []),
    ...fields,
    ...(page.type === 'payment' ? SELLING : []),
  ]
}

const SELLING: readonly FunnelBlock[] = [
  { id: 'plans', type: 'plans', props: { packages: 'offering', layout: 'list' } },
  { id: 'checkout', type: 'checkout', props: { layout: 'express_first' } },
  { id: 'legal', type: 'legal', props: {} },
]

export const withBlocks = (
  state: FunnelState,
  id: string,
  change: (blocks: readonly FunnelBlock[]) => readonly FunnelBlock[],
): FunnelState => withPage(state, id, (page) => ({ ...page, blocks: change(page.blocks ?? ownBlocks(page)) }))

export const withBlock = (
  state: FunnelState,
  pageId: string,
  blockId: string,
  change: (block: FunnelBlock) => FunnelBlock,
): FunnelState => withBlocks(state, pageId, (blocks) => replaceBlock(blocks, blockId, (block) => [change(block)]))

const fieldIds = ({ pages }: FunnelState): Set<string> =>
  new Set([...pages.flatMap((page) => page.fields.map((field) => field.id)), 'score'])

const CHOICES: ReadonlySet<FieldKind> = new Set(['single', 'multi'])

/** What a new field is. Kinds to choose from start with two options. */
export function newField(state: FunnelState, kind: FieldKind): FunnelField {
  const id = freshId(kind, fieldIds(state))
  const options = CHOICES.has(kind) ? ['a', 'b'].map((option) => ({ id: option, label: {} })) : []
  return { id, kind, required: false, options, min: null, max: null }
}

/** A field of another kind keeps what fits it. */
export function withKind(field: FunnelField, kind: FieldKind): FunnelField {
  const { pattern: _pattern, ...rest } = field
  const isChoice = CHOICES.has(kind)
  const options = !isChoice ? [] : field.options.length > 0 ? field.options : [{ id: 'a', label: {} }]
  return { ...rest, kind, options, min: null, max: null }
}

/** Adds a field; on a page of blocks also the block that shows it. */
export const addField = (state: FunnelState, pageId: string, field: FunnelField): FunnelState =>
  withPage(state, pageId, (page) => ({
    ...page,
    fields: [...page.fields, field],
    ...(page.blocks && { blocks: [...page.blocks, shownBy(field.id, page.blocks)] }),
  }))

const shownBy = (fieldId: string, blocks: readonly FunnelBlock[]): FunnelBlock => {
  const taken = new Set(placesOf(blocks).map(({ block }) => block.id))
  return { id: freshId('field', taken), type: 'field', props: { fieldId } }
}

/** Replaces a field. When its id changes, the rules and blocks that name it name the new one. */
export function withField(state: FunnelState, pageId: string, id: string, field: FunnelField): FunnelState {
  const changed = withPage(state, pageId, (page) => ({
    ...page,
    fields: page.fields.map((one) => (one.id === id ? field : one)),
  }))
  return field.id === id
    ? changed
    : { ...changed, pages: changed.pages.map((page) => renamedField(page, id, field.id)) }
}

function renamedField(page: FunnelPage, from: string, to: string): FunnelPage {
  const conditions = (when: readonly FunnelCondition[]) =>
    when.map((condition) => (condition.field === from ? { ...condition, field: to } : condition))
  const inBlock = (block: FunnelBlock): FunnelBlock => {
    const own = block.visibleWhen
      ? { ...block, visibleWhen: { ...block.visibleWhen, when: conditions(block.visibleWhen.when) } }
      : block
    if (own.type === 'field' && own.props.fieldId === from) return { ...own, props: { fieldId: to } }
    if (own.type === 'stack') return { ...own, props: { ...own.props, children: own.props.children.map(inBlock) } }
    return own.type === 'card' ? { ...own, props: { children: own.props.children.map(inBlock) } } : own
  }
  const rules = page.next.rules.map((rule) => ({ ...rule, when: conditions(rule.when) }))
  return { ...page, ...(page.blocks && { blocks: page.blocks.map(inBlock) }), next: { ...page.next, rules } }
}

/** Without a field and the blocks that show it. Rules that ask for it are dropped. */
export function removeField(state: FunnelState, pageId: string, id: string): FunnelState {
  const isGone = ({ field }: FunnelCondition) => field === id
  const pages = state.pages.map((page) => ({
    ...page,
    fields: page.id === pageId ? page.fields.filter((field) => field.id !== id) : page.fields,
    ...(page.blocks && { blocks: withoutField(page.blocks, id).map((one) => cleaned(one, '', isGone)) }),
    next: { ...page.next, rules: page.next.rules.filter(({ when }) => !when.some(isGone)) },
  }))
  return { ...state, pages }
}

const withoutField = (blocks: readonly FunnelBlock[], id: string): FunnelBlock[] =>
  placesOf(blocks)
    .filter(({ block }) => block.type === 'field' && block.props.fieldId === id)
    .reduce<FunnelBlock[]>((left, { block }) => replaceBlock(left, block.id, () => []), [...blocks])
