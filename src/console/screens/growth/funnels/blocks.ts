import { childrenOf, MAX_NESTING } from '../../../../core/funnel/blocks'
import type { BlockType, FunnelBlock, FunnelPage } from '../../../../core/funnel/model'

type Blocks = readonly FunnelBlock[]

/** A block with its place: the blocks that hold it, from the outermost, and its siblings. */
export interface Place {
  block: FunnelBlock
  parents: Blocks
  siblings: Blocks
  index: number
}

/** Every block of a page in the order in which it is read. */
export const placesOf = (blocks: Blocks, parents: Blocks = []): Place[] =>
  blocks.flatMap((block, index) => [
    { block, parents, siblings: blocks, index },
    ...placesOf(childrenOf(block), [...parents, block]),
  ])

export const placeOf = (blocks: Blocks, id: string): Place | null =>
  placesOf(blocks).find(({ block }) => block.id === id) ?? null

/** A block with other blocks inside; a block that holds none stays as it is. */
const withChildren = (block: FunnelBlock, children: Blocks): FunnelBlock =>
  block.type === 'stack'
    ? { ...block, props: { ...block.props, children } }
    : block.type === 'card'
      ? { ...block, props: { children } }
      : block

const canHold = ({ type }: FunnelBlock): boolean => type === 'stack' || type === 'card'

/** Replaces a block by any number of blocks. */
export const replaceBlock = (blocks: Blocks, id: string, by: (block: FunnelBlock) => Blocks): FunnelBlock[] =>
  blocks.flatMap((block) => {
    if (block.id === id) return by(block)
    const children = childrenOf(block)
    return children.length === 0 ? [block] : [withChildren(block, replaceBlock(children, id, by))]
  })

export const removeBlock = (blocks: Blocks, id: string): FunnelBlock[] => replaceBlock(blocks, id, () => [])

/** Puts a block after another one, or at the end. */
export const insertBlock = (blocks: Blocks, block: FunnelBlock, after: string | null): FunnelBlock[] =>
  after !== null && placeOf(blocks, after)
    ? replaceBlock(blocks, after, (before) => [before, block])
    : [...blocks, block]

/** Puts a block at another place among its siblings. Beyond either end nothing changes. */
export function moveBlock(blocks: Blocks, id: string, step: number): Blocks {
  const place = placeOf(blocks, id)
  const to = place ? place.index + step : -1
  if (!place || to < 0 || to >= place.siblings.length) return blocks
  const order = place.siblings.filter((block) => block.id !== id)
  order.splice(to, 0, place.block)
  return withSiblings(blocks, place, order)
}

function withSiblings(blocks: Blocks, { parents }: Place, siblings: Blocks): Blocks {
  const parent = parents.at(-1)
  return parent ? replaceBlock(blocks, parent.id, (block) => [withChildren(block, siblings)]) : siblings
}

/** Puts a block into the stack or card before it; null = there is none, or it would lie too deep. */
export function indentBlock(blocks: Blocks, id: string): Blocks | null {
  const place = placeOf(blocks, id)
  const before = place?.siblings[place.index - 1]
  if (!place || !before || !canHold(before)) return null
  if (place.parents.length + 1 + heightOf(place.block) > MAX_NESTING) return null
  const without = removeBlock(blocks, id)
  return replaceBlock(without, before.id, (block) => [withChildren(block, [...childrenOf(block), place.block])])
}

/** How many levels a block takes, itself included. */
const heightOf = (block: FunnelBlock): number => 1 + Math.max(0, ...childrenOf(block).map(heightOf))

/** Puts a block behind the one that holds it; null = it is not inside of one. */
export function outdentBlock(blocks: Blocks, id: string): Blocks | null {
  const place = placeOf(blocks, id)
  const parent = place?.parents.at(-1)
  return place && parent ? insertBlock(removeBlock(blocks, id), place.block, parent.id) : null
}

/** A free id: `text`, then `text_2` and so on. */
export function freshId(base: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}_${number}`
    if (!taken.has(id)) return id
  }
}

export const idsOf = (blocks: Blocks): Set<string> => new Set(placesOf(blocks).map(({ block }) => block.id))

/** A copy behind the block, with ids of its own. */
export function duplicateBlock(blocks: Blocks, id: string): { blocks: Blocks; copy: string } | null {
  const place = placeOf(blocks, id)
  if (!place) return null
  const taken = idsOf(blocks)
  const copy = renamed(place.block, taken)
  return { blocks: insertBlock(blocks, copy, id), copy: copy.id }
}

function renamed(block: FunnelBlock, taken: Set<string>): FunnelBlock {
  const id = freshId(block.id.replace(/_\d+$/, '').slice(0, 50), taken)
  taken.add(id)
  return withChildren(
    { ...block, id },
    childrenOf(block).map((child) => renamed(child, taken)),
  )
}

const NEW: { [Type in BlockType]: Extract<FunnelBlock, { type: Type }>['props'] } = {
  heading: { text: {}, level: 2 },
  text: { text: {} },
  list: { items: [] },
  image: { asset: '' },
  video: { asset: '' },
  lottie: { asset: '' },
  spacer: { size: 16 },
  divider: {},
  stack: { direction: 'column', children: [] },
  card: { children: [] },
  button: { label: {}, action: { type: 'next' } },
  field: { fieldId: '' },
  progress: {},
  // biome-ignore lint/suspicious/noThenProperty: it is the name in the document, and the object is never awaited
  timer: { seconds: 60, then: null },
  testimonial: { quote: {}, author: {} },
  faq: { items: [] },
  chart: { kind: 'line', points: [] },
  plans: { packages: 'offering', layout: 'list' },
  checkout: { layout: 'express_first' },
  legal: {},
  store_buttons: {},
  qr: {},
  html: { source: '<p></p>' },
}

/** A new block of a page. A field block shows the first field of the page that no block shows yet. */
export function newBlock(type: BlockType, page: FunnelPage): FunnelBlock {
  const places = placesOf(page.blocks ?? [])
  const id = freshId(type, new Set(places.map(({ block }) => block.id)))
  if (type !== 'field') return { id, type, props: NEW[type] } as FunnelBlock
  const shown = new Set(places.map(({ block }) => (block.type === 'field' ? block.props.fieldId : '')))
  const fieldId = page.fields.find((field) => !shown.has(field.id))?.id ?? page.fields[0]?.id ?? ''
  return { id, type, props: { fieldId } }
}
