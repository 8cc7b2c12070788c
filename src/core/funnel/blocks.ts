import { utf8Length } from '../text/utf8'
import { readConditions } from './conditions'
import { Given, readAlt, readAssetId, readNumber } from './members'
import {
  BLOCK_TYPES,
  type BlockProps,
  type BlockStyle,
  type BlockType,
  CHART_KINDS,
  type FunnelBlock,
  type LocalText,
  type VisibleWhen,
} from './model'
import { isStorable, type Reading } from './reading'

export const MAX_BLOCKS = 60
export const MAX_NESTING = 4
const MAX_ITEMS = 50
const MAX_HTML_BYTES = 32 * 1024

/** How many blocks a page has so far. */
interface Count {
  blocks: number
}

/** The blocks of a page (funnels 1). The page's own blocks are level 1. */
export function readBlocks(reading: Reading, given: unknown, path: string): FunnelBlock[] {
  const count = { blocks: 0 }
  const blocks = readLevel(reading, given, path, { count, level: 1 })
  if (count.blocks > MAX_BLOCKS)
    reading.refuse(path, `must have at most ${MAX_BLOCKS} blocks, those inside others counted`)
  reading.unique(idsOf(blocks, path), 'block of a page')
  return blocks
}

const idsOf = (blocks: readonly FunnelBlock[], path: string): [string, string][] =>
  blocks.flatMap((block, index) => [
    [block.id, `${path}[${index}].id`],
    ...idsOf(childrenOf(block), `${path}[${index}].props.children`),
  ])

/** The blocks inside a block. */
export const childrenOf = (block: FunnelBlock): readonly FunnelBlock[] =>
  block.type === 'stack' || block.type === 'card' ? block.props.children : []

interface Level {
  count: Count
  level: number
}

function readLevel(reading: Reading, given: unknown, path: string, at: Level): FunnelBlock[] {
  if (at.level > MAX_NESTING) {
    reading.refuse(path, `lies deeper than ${MAX_NESTING} levels of blocks`)
    return []
  }
  return reading.list(given, path, MAX_BLOCKS).map(([block, place]) => readBlock(reading, block, place, at))
}

const MEMBERS = ['id', 'type', 'props', 'visibleWhen', 'style']

function readBlock(reading: Reading, given: unknown, path: string, at: Level): FunnelBlock {
  at.count.blocks++
  const members = Given.of(reading, given, path, MEMBERS)
  const type = reading.oneOf(members.members.type, `${path}.type`, BLOCK_TYPES)
  const isKnown = type === members.members.type // Without a type the members cannot be checked.
  return {
    id: members.read('id', (value, place) => reading.id(value, place)),
    type,
    props: isKnown ? readProps(reading, type, members.members.props ?? {}, `${path}.props`, at) : {},
    ...members.maybe('visibleWhen', (value, place) => readVisibleWhen(reading, value, place)),
    ...members.maybe('style', (value, place) => readStyle(reading, value, place)),
  } as FunnelBlock
}

function readVisibleWhen(reading: Reading, given: unknown, path: string): VisibleWhen {
  const { match, when } = reading.object(given, path, ['match', 'when'])
  return {
    match: reading.oneOf(match, `${path}.match`, ['all', 'any']),
    when: readConditions(reading, when, `${path}.when`),
  }
}

function readStyle(reading: Reading, given: unknown, path: string): BlockStyle {
  const style = Given.of(reading, given, path, ['align', 'size', 'tone', 'space'])
  return {
    ...style.maybe('align', style.oneOf(['start', 'center', 'end'])),
    ...style.maybe('size', style.oneOf(['small', 'medium', 'large'])),
    ...style.maybe('tone', style.oneOf(['normal', 'muted', 'accent', 'danger', 'success'])),
    ...style.maybe('space', style.whole(0, 96)),
  }
}

type Read<Type extends BlockType> = (
  props: Given,
  children: (value: unknown, path: string) => FunnelBlock[],
) => BlockProps[Type]

interface Shape<Type extends BlockType> {
  members: readonly string[]
  read: Read<Type>
}

const nothing = { members: [], read: () => ({}) }

const SHAPES: { [Type in BlockType]: Shape<Type> } = {
  heading: {
    members: ['text', 'level'],
    read: (props) => ({
      text: props.read('text', props.local),
      ...(props.maybe('level', props.whole(1, 3)) as { level?: 1 | 2 | 3 }),
    }),
  },
  text: { members: ['text'], read: (props) => ({ text: props.read('text', props.local) }) },
  list: {
    members: ['items', 'ordered'],
    read: (props) => ({ items: readTexts(props, 'items'), ...props.maybe('ordered', props.flag) }),
  },
  image: { members: ['asset', 'alt'], read: readAssetProps },
  video: {
    members: ['asset', 'alt', 'poster', 'loop'],
    read: (props) => ({
      ...readAssetProps(props),
      ...props.maybe('poster', props.asset),
      ...props.maybe('loop', props.flag),
    }),
  },
  lottie: {
    members: ['asset', 'alt', 'loop'],
    read: (props) => ({ ...readAssetProps(props), ...props.maybe('loop', props.flag) }),
  },
  spacer: { members: ['size'], read: (props) => props.maybe('size', props.whole(0, 400)) },
  divider: nothing,
  stack: {
    members: ['direction', 'gap', 'children'],
    read: (props, children) => ({
      direction: props.read('direction', props.oneOf(['row', 'column'])),
      ...props.maybe('gap', props.whole(0, 96)),
      children: props.read('children', children),
    }),
  },
  card: { members: ['children'], read: (props, children) => ({ children: props.read('children', children) }) },
  button: {
    members: ['label', 'action', 'isSecondary'],
    read: (props) => ({
      label: props.read('label', props.local),
      action: props.read('action', props.action),
      ...props.maybe('isSecondary', props.flag),
    }),
  },
  field: {
    members: ['fieldId'],
    read: (props) => ({ fieldId: props.read('fieldId', (value, path) => props.reading.id(value, path)) }),
  },
  progress: nothing,
  timer: {
    members: ['seconds', 'then'],
    read: (props) => ({
      seconds: props.read('seconds', props.whole(1, 86_400)),
      // biome-ignore lint/suspicious/noThenProperty: it is the name in the document, and the object is never awaited
      then: props.members.then == null ? null : props.read('then', props.action),
    }),
  },
  testimonial: {
    members: ['quote', 'author', 'rating', 'image'],
    read: (props) => ({
      quote: props.read('quote', props.local),
      author: props.read('author', props.local),
      ...props.maybe('rating', props.whole(1, 5)),
      ...props.maybe('image', props.asset),
    }),
  },
  faq: { members: ['items'], read: (props) => ({ items: readQuestions(props) }) },
  chart: {
    members: ['kind', 'points'],
    read: (props) => ({ kind: props.read('kind', props.oneOf(CHART_KINDS)), points: readPoints(props) }),
  },
  plans: {
    members: ['packages', 'layout', 'highlight', 'showPerDay'],
    read: (props) => ({
      packages: readPackages(props),
      layout: props.members.layout == null ? 'list' : props.read('layout', props.oneOf(['list', 'cards'])),
      ...props.maybe('highlight', (value, path) => props.reading.id(value, path)),
      ...props.maybe('showPerDay', props.flag),
    }),
  },
  checkout: {
    members: ['layout'],
    read: (props) => ({
      layout:
        props.members.layout == null
          ? 'express_first'
          : props.read('layout', props.oneOf(['express_first', 'express_only', 'card'])),
    }),
  },
  legal: { members: ['text'], read: (props) => props.maybe('text', props.local) },
  store_buttons: nothing,
  qr: nothing,
  html: {
    members: ['source', 'height'],
    read: (props) => ({
      source: props.read('source', readHtml(props)),
      ...props.maybe('height', props.whole(1, 4000)),
    }),
  },
}

function readProps(reading: Reading, type: BlockType, given: unknown, path: string, at: Level): object {
  const { members, read } = SHAPES[type]
  const inner = { ...at, level: at.level + 1 }
  return read(Given.of(reading, given, path, members), (value, place) => readLevel(reading, value, place, inner))
}

function readAssetProps(props: Given) {
  return {
    asset: props.read('asset', (value, path) => readAssetId(props.reading, value, path)),
    ...readAlt(props.reading, props.members.alt, props.at('alt')),
  }
}

const readTexts = (props: Given, name: string): LocalText[] =>
  props.reading.list(props.members[name], props.at(name), MAX_ITEMS).map(([text, path]) => props.local(text, path))

const readQuestions = (props: Given): BlockProps['faq']['items'] =>
  props.reading.list(props.members.items, props.at('items'), MAX_ITEMS).map(([item, path]) => {
    const { question, answer } = props.reading.object(item, path, ['question', 'answer'])
    return { question: props.local(question, `${path}.question`), answer: props.local(answer, `${path}.answer`) }
  })

const readPoints = (props: Given): BlockProps['chart']['points'] =>
  props.reading.list(props.members.points, props.at('points'), MAX_ITEMS).map(([item, path]) => {
    const { label, value } = props.reading.object(item, path, ['label', 'value'])
    const range = { min: -1e9, max: 1e9 }
    return {
      label: props.local(label, `${path}.label`),
      value: readNumber(props.reading, value, `${path}.value`, range),
    }
  })

const MAX_PACKAGES = 20

function readPackages(props: Given): readonly string[] | 'offering' {
  const { packages } = props.members
  if (packages == null || packages === 'offering') return 'offering'
  const items = props.reading.list(packages, props.at('packages'), MAX_PACKAGES)
  if (items.length === 0 && Array.isArray(packages) && packages.length === 0)
    props.refuse('packages', 'must name a package, or be "offering" for all of them')
  const ids = items.map(([id, path]): [string, string] => [props.reading.id(id, path), path])
  props.reading.unique(ids, 'package')
  return ids.map(([id]) => id)
}

const readHtml =
  ({ reading }: Given) =>
  (value: unknown, path: string): string => {
    const isText = typeof value === 'string' && value.trim() !== '' && isStorable(value)
    if (isText && utf8Length(value) <= MAX_HTML_BYTES) return value
    reading.refuse(path, 'must be a text of at most 32 KiB')
    return ''
  }
